// Live values over StudioAPI. The npm package cdp-client speaks the same protocol, but tells its user neither of a lost
// connection nor of a refused request, asks for each node of a path before it subscribes, and needs protobufjs 5 as a
// global; so the page has this small client, whose messages are made by pbf from the server's studio_api.proto.
import {
  ContainerType,
  getterRequest,
  readContainer,
  readHello,
  setterRequest,
  structureRequest,
  type ValueRequest,
  type VariantValue,
} from './messages.ts';

export interface StudioListener {
  connected(): void;
  disconnected(): void;
  samples(values: VariantValue[]): void;
  refused(text: string, nodeId: number): void;
}

/** Time between two attempts to connect [ms]. */
const kRetry = 1000;

export class StudioClient {
  private socket?: WebSocket;
  private timer?: number;
  private greeted = false;
  private closed = false;

  constructor(
    private readonly address: string,
    private readonly listener: StudioListener,
  ) {}

  connect(): void {
    this.closed = false;
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.greeted = false;
    socket.onmessage = (event: MessageEvent<ArrayBuffer>) => this.take(new Uint8Array(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.listener.disconnected();
      if (!this.closed) this.timer = window.setTimeout(() => this.connect(), kRetry);
    };
  }

  close(): void {
    this.closed = true;
    window.clearTimeout(this.timer);
    this.socket?.close();
  }

  get isConnected(): boolean {
    return this.greeted && this.socket?.readyState === WebSocket.OPEN;
  }

  request(requests: ValueRequest[]): void {
    if (requests.length && this.isConnected) this.socket!.send(getterRequest(requests));
  }

  /** Writes a number in SI to a node. */
  set(node: number, number: number): void {
    if (this.isConnected) this.socket!.send(setterRequest(node, number));
  }

  private take(bytes: Uint8Array): void {
    if (!this.greeted) {
      const hello = readHello(bytes);
      if (hello.challenge?.length) {
        // the cookie of the login has run out
        this.socket?.close();
        return;
      }
      this.greeted = true;
      this.socket!.send(structureRequest());
      this.listener.connected();
      return;
    }
    const container = readContainer(bytes);
    if (container.message_type === ContainerType.GETTER_RESPONSE) this.listener.samples(container.getter_response);
    else if (container.message_type === ContainerType.REMOTE_ERROR && container.error) {
      this.listener.refused(container.error.text, container.error.node_id);
    }
  }
}
