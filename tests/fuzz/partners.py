#!/usr/bin/env python3
"""A partner that sends wrong bytes to a run of davit serve, over the network.

    python3 tests/fuzz/partners.py DAVIT {modbus_server,modbus_client,mqtt,udp,http} [SECONDS] [SEED]

The named interface of davit gets valid messages that were changed at random: bytes, lengths, counts, halves, doubles. After each round
the run must still be running, no item may have a value that it does not take, and a valid message must be taken. At the end davit must
end by itself, without a report of a sanitizer. The fuzzers in C++ are faster, but have neither sockets nor threads.
"""

import json
import os
import pathlib
import random
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROUND = 200  # inputs between two looks at the run
PATIENCE = 30  # s, for a build with sanitizers on a busy machine

SYSTEM = """<System name="fuzzed" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="100000 s"/>
  <mechanical.Fixed name="left"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <mechanical.Fixed name="right"/>
  <signal.Constant name="lever"/>
  <Connect from="left.port" to="spring.a"/>
  <Connect from="spring.b" to="right.port"/>
  {interface}
</System>
"""
REGISTERS = """
    <Register item="spring.force" table="{read}" address="0"/>
    <Register item="lever.value" address="2" access="write" safe="0"/>
    <Register item="spring.stiffness" address="4" type="int16" access="write"/>
"""


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def changed(rng, data):
    """A message with up to four faults."""
    data = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        at = rng.randrange(len(data) + 1)
        fault = rng.randrange(7)
        if fault == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif fault == 1 and at < len(data):
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        elif fault == 2:
            data[at:at] = rng.randbytes(rng.choice([1, 2, 8, 300]))
        elif fault == 3:
            del data[at:at + rng.randrange(1, 9)]
        elif fault == 4:
            del data[at:]
        elif fault == 5:
            data += data[at:]
        elif at + 2 <= len(data):
            data[at:at + 2] = struct.pack(">H", rng.choice([0, 1, 125, 126, 0x7FC0, 0x7F80, 0xFFFF]))
    return bytes(data)


def drop(connection):
    """Closes at once, so that ports are free again."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Partner:
    """One protocol: `interface` is the element of davit; `disturb` sends one input; `set_stiffness` a valid message."""

    def __init__(self, rng):
        self.rng = rng
        self.connection = None

    def watch(self, run):
        """What it needs of the run that was started."""

    def forget(self):
        if self.connection:
            drop(self.connection)
        self.connection = None


def modbus_frame(pdu, transaction=1):
    return struct.pack(">HHHB", transaction, 0, len(pdu) + 1, 1) + pdu


class ModbusServer(Partner):
    """davit is the server."""

    PDUS = [struct.pack(">BHH", function, address, count) for function in (1, 2, 3, 4, 5, 6) for address, count in ((0, 2), (2, 2), (4, 1))]
    PDUS += [struct.pack(">BHHB", 16, 2, 2, 4) + struct.pack(">f", 0.5), struct.pack(">BHHBh", 16, 4, 1, 2, 7), struct.pack(">BHHBB", 15, 0, 3, 1, 5),
             struct.pack(">BHHH", 22, 4, 0xF2, 0x25), struct.pack(">BHHHHBh", 23, 0, 2, 4, 1, 2, 9), bytes([43, 14, 1, 0]), bytes([43, 14, 4, 2]), bytes([8, 0, 0])]

    def __init__(self, rng):
        super().__init__(rng)
        self.port = free_port()
        self.interface = f'<ModbusServer name="plc" port="{self.port}" timeout="0.2 s">{REGISTERS.format(read="input")}</ModbusServer>'

    def open(self):
        self.forget()
        self.connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def disturb(self):
        frames = b"".join(modbus_frame(pdu) for pdu in self.rng.choices(self.PDUS, k=self.rng.choice([1, 1, 3])))
        try:
            if not self.connection or self.rng.random() < 0.02:
                self.open()
            self.connection.sendall(changed(self.rng, frames))
            if self.rng.random() < 0.9:  # else it does not take its answer
                self.connection.settimeout(0.002)
                if not self.connection.recv(4096):
                    self.forget()
        except TimeoutError:
            pass
        except OSError:
            self.forget()

    def set_stiffness(self, value):
        self.open()
        self.connection.sendall(modbus_frame(struct.pack(">BHH", 6, 4, value), 4711))
        answer = self.connection.recv(4096)
        if answer != modbus_frame(struct.pack(">BHH", 6, 4, value), 4711):
            raise AssertionError(f"a valid request got {answer.hex(' ')}")


class Listener(Partner):
    """A server that davit calls."""

    def __init__(self, rng):
        super().__init__(rng)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.received = b""
        self.is_disturbed = True
        self.value = 1

    def accept(self):
        self.listener.settimeout(PATIENCE)
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(1)
        self.received = b""

    def disturb(self):
        try:
            if not self.connection:
                self.accept()
            self.answer()
        except OSError:
            self.forget()

    def receive(self):
        more = self.connection.recv(65536)
        if not more:
            raise ConnectionResetError
        self.received += more

    def send_rarely_wrong(self, data, share=0.02):
        is_wrong = self.is_disturbed and self.rng.random() < share
        self.connection.sendall(changed(self.rng, data) if is_wrong else data)

    def set_stiffness(self, value):
        self.is_disturbed, self.value = False, value
        self.forget()
        end = time.monotonic() + PATIENCE
        while self.run.value("spring.stiffness") != value:
            if time.monotonic() > end:
                raise AssertionError("a valid message was not taken")
            self.disturb()
        self.is_disturbed = True

    def watch(self, run):
        self.run = run


class ModbusClient(Listener):
    """davit is the client."""

    def __init__(self, rng):
        super().__init__(rng)
        self.interface = f'<ModbusClient name="plc" port="{self.port}" timeout="0.2 s" rate="1 kHz">{REGISTERS.format(read="holding")}</ModbusClient>'

    def answer(self):
        while len(self.received) < 6 or len(self.received) < 6 + struct.unpack_from(">H", self.received, 4)[0]:
            self.receive()
        transaction, _, length, _, function = struct.unpack_from(">HHHBB", self.received)
        pdu, self.received = self.received[7:6 + length], self.received[6 + length:]
        if function == 16:
            answer = pdu[:5]
        else:
            address, count = struct.unpack_from(">HH", pdu, 1)
            words = struct.pack(">ffh", 0, self.rng.uniform(-1, 1), self.value)[2 * address:2 * (address + count)]
            answer = bytes([function, len(words)]) + words
        self.send_rarely_wrong(modbus_frame(answer, transaction), 0.2)  # davit connects again after half a second


class Mqtt(Listener):
    """A broker: version 3.1.1."""

    PAYLOADS = [b'{"lever": 0.5, "stiffness": %d}', b'{"stiffness": %d}', b'{"lever": true, "stiffness": 1e3, "x": [{"y": null}], "s": %d}', b"[[[[[[[[%d", b'{"stiffness": -%d}',
                b'{"lever": 1e400, "stiffness": %d}', b"%d"]

    def __init__(self, rng):
        super().__init__(rng)
        self.is_open = False
        self.interface = f"""<Mqtt name="plc" port="{self.port}" timeout="0.2 s" status="status">
            <Topic item="spring.force" topic="state" qos="2"/>
            <Topic item="lever.value" topic="command" member="lever" access="write" safe="0" qos="2"/>
            <Topic item="spring.stiffness" topic="command" member="stiffness" access="write" qos="2"/></Mqtt>"""

    def accept(self):
        super().accept()
        self.is_open = False

    @staticmethod
    def packet(head, body):
        size, length = len(body), b""
        while True:
            size, digit = divmod(size, 128)
            length += bytes([digit | (0x80 if size else 0)])
            if not size:
                return bytes([head]) + length + body

    def take_packets(self):
        while len(self.received) >= 2:
            size, at = 0, 1
            while at < len(self.received):
                size |= (self.received[at] & 0x7F) << 7 * (at - 1)
                at += 1
                if not self.received[at - 1] & 0x80:
                    break
            else:
                return
            if len(self.received) < at + size:
                return
            head, body = self.received[0], self.received[at:at + size]
            self.received = self.received[at + size:]
            yield head, body

    def answer(self):
        if not self.is_open or select.select([self.connection], [], [], 0)[0]:
            self.receive()
        for head, body in self.take_packets():
            kind = head >> 4
            if kind == 1:
                self.send_rarely_wrong(self.packet(0x20, b"\0\0"))
                self.is_open = True
            elif kind == 3 and head & 6:
                topic = struct.unpack_from(">H", body)[0]
                self.send_rarely_wrong(self.packet(0x40 if head & 6 == 2 else 0x50, body[2 + topic:4 + topic]))
            elif kind == 6:
                self.send_rarely_wrong(self.packet(0x70, body))
            elif kind == 8:
                self.send_rarely_wrong(self.packet(0x90, body[:2] + bytes([2])))
            elif kind == 12:
                self.send_rarely_wrong(self.packet(0xD0, b""))
            elif kind == 5:
                self.send_rarely_wrong(self.packet(0x62, body))
        if self.is_open:
            payload = (self.rng.choice(self.PAYLOADS) if self.is_disturbed else self.PAYLOADS[0]) % self.value
            topic = struct.pack(">H", 7) + b"command"
            if not self.is_disturbed:
                self.connection.sendall(self.packet(0x30, topic + payload))
                time.sleep(0.01)
                return
            qos = self.rng.randrange(3)
            number = struct.pack(">H", self.rng.randrange(1, 65536)) if qos else b""
            self.send_rarely_wrong(self.packet(0x30 | qos << 1, topic + number + changed(self.rng, payload)))


class Udp(Partner):
    def __init__(self, rng):
        super().__init__(rng)
        self.port = free_port(socket.SOCK_DGRAM)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.interface = (f'<UdpIn name="plc" port="{self.port}" timeout="0.2 s"><PacketField item="lever.value" safe="0"/>'
                          '<PacketField item="spring.stiffness" type="int16"/></UdpIn>')

    def watch(self, run):
        self.run = run

    def send(self, data):
        self.socket.sendto(data[:60000], ("127.0.0.1", self.port))

    def disturb(self):
        if self.rng.random() < 0.1:
            time.sleep(0.001)  # or most packets are lost
        self.send(changed(self.rng, struct.pack(">fh", self.rng.uniform(-1, 1), self.rng.randrange(100))))

    def set_stiffness(self, value):
        end = time.monotonic() + PATIENCE
        while self.run.value("spring.stiffness") != value:
            if time.monotonic() > end:
                raise AssertionError("a valid packet was not taken")
            self.send(struct.pack(">fh", 0.5, value))
            time.sleep(0.02)


class Http(Partner):
    """Requests with commands, and the start of StudioAPI."""

    BODIES = [b'{"command": "set spring.stiffness 12 N/m"}', b'{"command": "set lever.value -0.5"}', b'{"command": "get lever.value"}', b'{"command": "event go"}',
              b'{"command": "list *"}', b'{"command": "until 0.1"}', b'{"action": "speed", "factor": 1}', b'{"path": "plc.Silent"}']
    PATHS = ["api/command", "api/command", "api/control", "api/acknowledge", "api/login", "api/values?path=lever.value", "api/state", "api/system", "api/history?path=lever.value&from=0&to=1&bins=9",
             "api/log?limit=5", "api/events", ""]

    interface = ""

    def watch(self, run):
        self.run = run
        self.address = ("127.0.0.1", int(run.address.rsplit(":", 1)[1].strip("/")))

    def disturb(self):
        path, body = self.rng.choice(self.PATHS), self.rng.choice(self.BODIES)
        head = f"{self.rng.choice(['GET', 'POST', 'POST'])} /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if self.rng.random() < 0.1:
            head += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            body = b"\x82\x80\0\0\0\0" + self.rng.randbytes(20)
        body = changed(self.rng, body) if self.rng.random() < 0.7 else body
        request = (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        try:
            if not self.connection:
                self.connection = socket.create_connection(self.address, timeout=PATIENCE)
            self.connection.sendall(changed(self.rng, request) if self.rng.random() < 0.3 else request)
            self.connection.settimeout(0.01)
            if not self.connection.recv(65536):
                self.forget()
        except TimeoutError:
            if self.rng.random() < 0.5:
                self.forget()
        except OSError:
            self.forget()

    def set_stiffness(self, value):
        self.forget()
        self.run.post("api/control", {"action": "start"})
        answer = self.run.post("api/command", {"command": f"set spring.stiffness {value} N/m"})
        if not answer["accepted"]:
            raise AssertionError(f"a valid command got {answer}")


class Run:
    """davit serve."""

    def __init__(self, davit, interface, folder):
        file = pathlib.Path(folder) / "fuzzed.xml"
        file.write_text(SYSTEM.format(interface=interface))
        self.errors = open(pathlib.Path(folder) / "errors", "w+")
        self.child = subprocess.Popen([davit, "serve", file, "--port", "0"], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.address = re.search(r" at (http://\S+)", self.child.stdout.readline())[1]

    def get(self, path, body=None):
        with urllib.request.urlopen(self.address + path, data=body and json.dumps(body).encode(), timeout=PATIENCE) as answer:
            return json.load(answer)

    def post(self, path, body):
        return self.get(path, body)

    def value(self, path):
        return self.get(f"api/values?path={path}")["values"][path]

    def check(self):
        state = self.get("api/state")
        if state["status"] not in ("running", "paused"):
            raise AssertionError(f"the run is not running: {state}")
        stiffness, lever = self.value("spring.stiffness"), self.value("lever.value")
        if stiffness is None or stiffness < 0 or lever is None:
            raise AssertionError(f"a value that no item takes: {stiffness}, {lever}")

    def memory(self):
        return int(pathlib.Path(f"/proc/{self.child.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    def end(self):
        self.child.send_signal(signal.SIGINT)
        code = self.child.wait(PATIENCE)
        self.errors.seek(0)
        errors = self.errors.read()
        if code != 0 or "Sanitizer" in errors or "runtime error" in errors:
            raise AssertionError(f"davit ended with {code}:\n{errors[-4000:]}")


PARTNERS = {"modbus_server": ModbusServer, "modbus_client": ModbusClient, "mqtt": Mqtt, "udp": Udp, "http": Http}


def main():
    davit, protocol = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 600
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else time.time_ns() % 1_000_000
    rng = random.Random(seed)
    partner = PARTNERS[protocol](rng)
    inputs, value = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        run = Run(davit, partner.interface, folder)
        partner.watch(run)
        end = time.monotonic() + seconds
        memory = None
        try:
            while time.monotonic() < end:
                for _ in range(ROUND):
                    partner.disturb()
                inputs += ROUND
                run.check()
                value = value % 100 + 1
                partner.set_stiffness(value)
                memory = memory or run.memory()
            partner.forget()
            print(f"{protocol}: {inputs} inputs with seed {seed} in {seconds:g} s, memory {memory:.0f} to {run.memory():.0f} MB, nothing found", flush=True)
        except Exception:
            print(f"{protocol}: seed {seed}, after {inputs} inputs:", flush=True)
            raise
        finally:
            run.end()


if __name__ == "__main__":
    main()
