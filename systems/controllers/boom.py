#!/usr/bin/env python3
"""Moves the boom of boom_modbus.xml or boom_mqtt.xml to an angle: python3 boom.py {modbus,mqtt} [--goal DEGREES].

Modbus needs the standard library only, MQTT the package paho-mqtt (Debian: python3-paho-mqtt). Where the run is in lock step,
each step is answered once; else the lever is set 50 times a second. The program ends with the run.
"""

import argparse
import json
import socket
import struct
import sys
import time

PERIOD = 0.02  # s, without lock step


def lever(goal, angle):
    """The lever, from -1 to 1, for angles in degrees: proportional, with a limit."""
    return max(-0.5, min(0.5, 0.05 * (goal - angle)))


def connect(call, host, port, patience):
    """What `call` returns; calls again while nobody listens."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return call()
        except OSError as fault:
            if time.monotonic() > deadline:
                sys.exit(f"nobody listens at {host}:{port} ({fault}); start davit or the broker, or correct --host and --port")
            time.sleep(0.05)


class ModbusClient:
    """Modbus TCP: requests for registers of 16 bits."""

    READ_INPUT, WRITE_HOLDING = 4, 16

    def __init__(self, host, port, patience):
        self._socket = connect(lambda: socket.create_connection((host, port), timeout=10), host, port, patience)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _receive(self, size):
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            if not more:
                raise ConnectionResetError
            data += more
        return data

    def _ask(self, request):
        self._socket.sendall(struct.pack(">HHHB", 1, 0, len(request) + 1, 1) + request)
        size = struct.unpack(">HHHB", self._receive(7))[2] - 1
        answer = self._receive(size)
        if answer[0] & 0x80:
            sys.exit(f"the device refuses function {request[0]}: exception {answer[1]}")
        return answer

    def read(self, address, layout):
        """Numbers of input registers, in a layout of the module struct."""
        words = struct.calcsize(layout) // 2
        return struct.unpack(layout, self._ask(struct.pack(">BHH", self.READ_INPUT, address, words))[2:])

    def write(self, address, layout, *values):
        """Numbers into holding registers."""
        data = struct.pack(layout, *values)
        self._ask(struct.pack(">BHHB", self.WRITE_HOLDING, address, len(data) // 2, len(data)) + data)


def run_modbus(host, port, patience, goal):
    plc = ModbusClient(host, port, patience)
    answered = 0
    try:
        while True:
            (step,) = plc.read(4, ">I")
            if step != 0 and step == answered:
                continue
            (angle,) = plc.read(0, ">f")
            plc.write(0, ">fI", lever(goal, angle), step)
            answered = step
            if step == 0:
                time.sleep(PERIOD)
    except (ConnectionError, TimeoutError):
        return  # the run has ended


def run_mqtt(host, port, patience, goal):
    try:
        from paho.mqtt import client as mqtt
    except ImportError:
        sys.exit("paho-mqtt is not installed; on Debian: apt install python3-paho-mqtt")

    was_online = False
    last = 0.0

    def on_message(client, _, message):
        nonlocal was_online, last
        if message.topic == "boom/status":
            if was_online and message.payload == b"offline":
                client.disconnect()
            was_online = message.payload == b"online"
            return
        state = json.loads(message.payload)
        if state["step"] == 0 and time.monotonic() < last + PERIOD:
            return
        last = time.monotonic()
        command = {"lever": lever(goal, state["angle"]), "answer": state["step"]}
        client.publish("boom/command", json.dumps(command))

    client = mqtt.Client()
    client.on_connect = lambda client, *_: client.subscribe([("boom/status", 1), ("boom/state", 0)])
    client.on_message = on_message
    connect(lambda: client.connect(host, port), host, port, patience)
    client.loop_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("protocol", choices=["modbus", "mqtt"])
    parser.add_argument("--host", default="127.0.0.1", help="of davit, or of the broker (default %(default)s)")
    parser.add_argument("--port", type=int, help="default 1502 for modbus, 1883 for mqtt")
    parser.add_argument("--patience", type=float, default=60, help="seconds to wait for davit or the broker (default %(default)s)")
    parser.add_argument("--goal", type=float, default=45, help="angle of the boom in degrees (default %(default)s)")
    options = parser.parse_args()
    if options.protocol == "modbus":
        run_modbus(options.host, options.port or 1502, options.patience, options.goal)
    else:
        run_mqtt(options.host, options.port or 1883, options.patience, options.goal)


if __name__ == "__main__":
    main()
