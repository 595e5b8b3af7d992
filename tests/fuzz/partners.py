#!/usr/bin/env python3
"""A partner that sends wrong bytes to a run of davit serve, over the network.

    python3 tests/fuzz/partners.py DAVIT {modbus_server,modbus_client,mqtt,udp,http,studio_api} [SECONDS] [SEED]

The named interface of davit gets valid messages that were changed at random: bytes, lengths, counts, halves, doubles. After each round
the run must still be running, no item may have a value that it does not take, and a valid message must be taken. Connections that are
closed must leave nothing behind. At the end davit must end by itself, without a report of a sanitizer. The fuzzers in C++ are faster, but have neither sockets nor threads.
"""

import base64
import hashlib
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

    def restart(self):
        """Undoes what inputs may do to the run as a whole."""

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


def varint(number):
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data) + bytes([number])


def proto_field(number, wire, content):
    if wire == 2:
        content = varint(len(content)) + content
    return varint(number << 3 | wire) + content


class StudioApi(Partner):
    """WebSocket clients: handshakes, frames, and the messages in them."""

    MOST = 120  # connections; davit takes 100
    MASKS = [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x12\x34\x56\x78"]
    # Members of the messages of clients by number, as in server/studio_api.proto.
    MESSAGES = {
        "Container": {1: "type", 2: "Error", 3: "node", 4: "bytes", 5: "ValueRequest", 7: "VariantValue", 10: "ChildAdd", 11: "ChildAdd", 12: "AuthRequest", 14: "EventRequest",
                      16: "bytes"},
        "Error": {1: "uint", 2: "text", 3: "node"},
        "ValueRequest": {1: "node", 2: "double", 3: "bool", 4: "double", 5: "double"},
        "VariantValue": {1: "node", 2: "double", 3: "float", 4: "uint", 5: "uint", 6: "uint", 7: "uint", 8: "uint", 9: "uint", 10: "uint", 11: "uint", 12: "bool", 13: "text",
                         14: "uint"},
        "ChildAdd": {1: "node", 2: "text", 3: "text"},
        "AuthRequest": {1: "text", 2: "ChallengeResponse"},
        "ChallengeResponse": {1: "text", 2: "bytes"},
        "EventRequest": {1: "node", 2: "uint", 3: "bool", 4: "double"},
    }
    NEEDED = {"Error": {1}, "ValueRequest": {1}, "ChildAdd": {1, 2, 3}}
    MEMBER_OF_TYPE = {1: 3, 3: 5, 5: 7, 9: 10, 10: 11, 11: 12, 14: 14}
    NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 20.0, 1e-9, 5e-324, 1e308, float("inf"), float("-inf"), float("nan")]
    TEXTS = [b"", b"0.5", b"12 N/m", b"1e400", b"nan", b"-1", b"Start", b"PasswordHash", b"a\nset b 1", b"\xff\xfe", b"x" * 12_000]

    interface = ""

    def __init__(self, rng):
        super().__init__(rng)
        self.connections = []

    def watch(self, run):
        self.run = run
        self.address = ("127.0.0.1", int(run.address.rsplit(":", 1)[1].strip("/")))
        self.nodes = {path: item["node_id"] for path, item in run.get("api/system")["items"].items()}
        self.files = run.open_files()

    def upgrade(self):
        key = base64.b64encode(self.rng.randbytes(16))
        head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
        return head, base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())

    def frame(self, payload, code=2, is_last=True, size=None, is_masked=True, reserved=0, width=7):
        """`size`: the length that it claims; `width`: the bits for it, at least those that it needs."""
        size = len(payload) if size is None else size
        head = bytes([is_last << 7 | reserved << 4 | code])
        if size < 126 and width == 7:
            head += bytes([is_masked << 7 | size])
        elif size < 1 << 16 and width < 64:
            head += struct.pack(">BH", is_masked << 7 | 126, size)
        else:
            head += struct.pack(">BQ", is_masked << 7 | 127, size)
        if not is_masked:
            return head + payload
        mask = self.rng.choice(self.MASKS)
        repeated = mask * (len(payload) // 4 + 1)
        return head + mask + bytes(a ^ b for a, b in zip(payload, repeated))

    def member(self, kind):
        """Wire type and content of a member of a message."""
        rng = self.rng
        if kind in self.MESSAGES:
            return 2, self.message(kind)
        if kind in ("text", "bytes"):
            return 2, rng.choice(self.TEXTS) if rng.random() < 0.8 else rng.randbytes(rng.randrange(40))
        if kind == "double":
            return 1, struct.pack("<d", rng.choice(self.NUMBERS)) if rng.random() < 0.9 else rng.randbytes(8)
        if kind == "float":
            return 5, struct.pack("<f", rng.choice([0, 0.5, -1, float("nan"), float("inf")]))
        if kind == "node":
            is_known = rng.random() < 0.6
            return 0, varint(rng.choice([self.nodes["lever.value"], self.nodes["spring.stiffness"], self.nodes["spring.force"]]) if is_known else rng.choice([rng.randrange(400), 0, 0xFFFFFFFF]))
        return 0, varint(rng.choice([0, 1, 2, 100, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, (1 << 64) - 1]) if kind == "uint" else rng.randrange(2))

    def message(self, kind="Container"):
        rng, members = self.rng, self.MESSAGES[kind]
        chosen = [number for number in members if number in self.NEEDED.get(kind, ()) and rng.random() < 0.98 or rng.random() < 0.3]
        if kind == "Container":
            number = rng.choice([1, 3, 3, 5, 5, 5, 14, rng.randrange(19)])
            content = proto_field(1, 0, varint(number if rng.random() < 0.98 else 1 << rng.randrange(64)))
            chosen = [self.MEMBER_OF_TYPE[number]] * rng.choice([0, 1, 1, 1, 2, 5, 60]) if number in self.MEMBER_OF_TYPE else []
            chosen += rng.choices([number for number in members if number != 1], k=rng.choice([0, 0, 0, 2]))
        else:
            content = b""
        return content + b"".join(proto_field(number, *self.member(members[number])) for number in chosen)

    def fragments(self, payload):
        """A message in up to five frames, with control frames between them; sometimes in a wrong order."""
        rng = self.rng
        cuts = sorted(rng.randrange(len(payload) + 1) for _ in range(rng.randrange(1, 5)))
        parts = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)])]
        frames = [self.frame(part, 2 if i == 0 else 0, i + 1 == len(parts)) for i, part in enumerate(parts)]
        for _ in range(rng.choice([0, 0, 1, 3])):
            frames.insert(rng.randrange(len(frames) + 1), self.frame(rng.randbytes(rng.choice([0, 1, 125])), rng.choice([9, 10])))
        if rng.random() < 0.2:
            frames.insert(rng.randrange(len(frames) + 1), self.frame(b"", rng.choice([0, 2]), rng.random() < 0.5))  # begins again, or continues nothing
        if rng.random() < 0.2:
            frames.pop()  # it does not end
        return b"".join(frames)

    def wrong_frame(self, payload):
        rng = self.rng
        fault = rng.randrange(9)
        if fault == 0:
            return self.frame(payload, is_masked=False)
        if fault == 7:
            return self.frame(payload, width=rng.choice([16, 64]))
        if fault == 1:
            return self.frame(payload, reserved=rng.randrange(1, 8))
        if fault == 2:
            return self.frame(payload, code=rng.choice([3, 7, 11, 15]))
        if fault == 3:  # control frames are short and whole
            return self.frame(rng.randbytes(rng.choice([0, 126, 300])), rng.choice([8, 9, 10]), is_last=rng.random() < 0.5)
        if fault == 4:
            return self.frame(rng.choice([b"", b"\x03", b"\x03\xe8", b"\0\0", b"\x03\xed", b"\xff\xff", b"\x03\xe8\xff\xfe", b"\x03\xe8" + b"y" * 123]), 8) + self.frame(payload)
        if fault == 5:
            return self.frame(payload, size=rng.choice([len(payload) + 1, 262_144, 262_145, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]))
        if fault == 6:
            return self.frame(rng.choice(self.TEXTS), code=1)
        return self.frame(bytes(rng.choice([262_144, 262_145])))

    def open(self):
        connection = socket.create_connection(self.address, timeout=PATIENCE)
        self.connections.append(connection)
        head, _ = self.upgrade()
        fault = self.rng.random()
        if fault < 0.1:
            head = changed(self.rng, head)
        elif fault < 0.15:  # without a wait for the answer
            head += self.frame(self.message())
        connection.sendall(head)
        if fault > 0.2:
            connection.settimeout(0.2)
            connection.recv(65536)
        return connection

    def disturb(self):
        rng = self.rng
        connection = None
        try:
            if not self.connections or len(self.connections) < self.MOST and rng.random() < 0.03:
                connection = self.open()
            else:
                connection = rng.choice(self.connections)
            payload = self.message()
            kind = rng.random()
            if kind < 0.6:
                data = b"".join(self.frame(one) for one in [payload, *(self.message() for _ in range(rng.choice([0, 0, 0, 4])))])
            elif kind < 0.75:
                data = self.frame(changed(rng, payload))
            elif kind < 0.9:
                data = self.fragments(payload)
            elif kind < 0.97:
                data = self.wrong_frame(payload)
            else:
                data = changed(rng, self.frame(payload))
            connection.settimeout(1)  # davit reads no more from a client that takes nothing
            connection.sendall(data)
            if rng.random() < 0.9:
                connection.settimeout(0.002)
                if not connection.recv(65536):
                    raise ConnectionResetError
            if rng.random() < 0.01:
                connection.shutdown(rng.choice([socket.SHUT_WR, socket.SHUT_RD]))
            if rng.random() < 0.01:
                raise ConnectionResetError
        except TimeoutError:
            pass
        except OSError:
            if connection in self.connections:
                self.connections.remove(connection)
                drop(connection) if rng.random() < 0.5 else connection.close()

    def forget(self):
        super().forget()
        while self.connections:
            drop(self.connections.pop())

    def restart(self):
        """Messages pause the run, end it, and give it a TimeStep that takes hours."""
        self.forget()
        end = time.monotonic() + PATIENCE
        while (clients := self.run.get("api/state")["clients"]) > 0 or self.run.open_files() > self.files + 3:
            if time.monotonic() > end:
                raise AssertionError(f"{clients} clients and {self.run.open_files()} open files are left, {self.files} at the start")
            time.sleep(0.02)
        self.run.post("api/control", {"action": "reset"})
        for command in ("set SimulatorManager.TimeStep 10 ms", "set SimulatorManager.fs 100 Hz"):
            self.run.post("api/command", {"command": command})
        self.run.post("api/control", {"action": "reset"})
        self.run.post("api/control", {"action": "start"})

    def set_stiffness(self, value):
        with socket.create_connection(self.address, timeout=PATIENCE) as connection:
            head, accepted = self.upgrade()
            connection.sendall(head)
            answer = b""
            while b"\r\n\r\n" not in answer:
                more = connection.recv(4096)
                if not more:
                    raise AssertionError(f"a valid handshake got {answer}")
                answer += more
            if not answer.startswith(b"HTTP/1.1 101 ") or accepted not in answer:
                raise AssertionError(f"a valid handshake got {answer}")
            setter = proto_field(1, 0, varint(self.nodes["spring.stiffness"])) + proto_field(2, 1, struct.pack("<d", value))
            message = proto_field(1, 0, varint(5)) + proto_field(7, 2, setter)
            connection.sendall(self.frame(message[:5], is_last=False) + self.frame(b"?", 9) + self.frame(message[5:], 0))
            end = time.monotonic() + PATIENCE
            while self.run.value("spring.stiffness") != value:
                if time.monotonic() > end:
                    raise AssertionError(f"a valid message was not taken; {self.run.get('api/state')['status']}, the answer is {connection.recv(65536)}")
                time.sleep(0.01)


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

    def open_files(self):
        return len(os.listdir(f"/proc/{self.child.pid}/fd"))

    def memory(self):
        return int(pathlib.Path(f"/proc/{self.child.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

    def end(self):
        self.child.send_signal(signal.SIGINT)
        code = self.child.wait(PATIENCE)
        self.errors.seek(0)
        errors = self.errors.read()
        if code != 0 or "Sanitizer" in errors or "runtime error" in errors:
            raise AssertionError(f"davit ended with {code}:\n{errors[-4000:]}")


PARTNERS = {"modbus_server": ModbusServer, "modbus_client": ModbusClient, "mqtt": Mqtt, "udp": Udp, "http": Http, "studio_api": StudioApi}


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
                partner.restart()
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
