// The mechanism in three dimensions on a canvas: camera, light, ground, and the loop that draws what has changed.
import {
  DirectionalLight,
  HemisphereLight,
  type Material,
  Matrix4,
  PerspectiveCamera,
  type Quaternion,
  Raycaster,
  Scene as Space,
  Sphere,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import type {Scene, SceneItem} from '../../../api/types.ts';
import type {SceneNumbers} from '../scene_values.ts';
import {flatten, Ground} from './ground.ts';
import {kThinLayer, readPalette, type Palette} from './palette.ts';
import {Pace} from './pace.ts';
import {Parts} from './parts.ts';
import {Sea} from './sea.ts';
import {isSoftwareGl} from './software_gl.ts';

/** There is no WebGL here. */
export class NoWebGl extends Error {}

export type Direction = 'free' | 'side' | 'front' | 'top';

// From where the camera looks. Exactly from above, what is up would not be known.
const kDirections: Record<Direction, Vector3> = {
  free: new Vector3(0.62, -1, 0.42),
  side: new Vector3(0, -1, 0),
  front: new Vector3(1, 0, 0),
  top: new Vector3(0, -1e-3, 1),
};
const kViewAngle = 28; // [deg]
const kSun = new Vector3(0.45, -0.75, 1.25); // where the light comes from
const kAsItIs = new Matrix4();
const kFlat = flatten(kSun);
const kMargin = 1.25; // about the mechanism
const kGrown = 1.03; // in size, so that it is no longer seen completely
const kTurn = Math.PI / 24; // of an arrow key
const kZoom = 0.9; // of a key
const kFewer = 0.7; // pixels along each side, of all, where they take too long
const kStill = 4; // px: a pointer that moves less has clicked

export interface Shows {
  /** The browser has taken the GPU away. */
  lost: () => void;
  /** The camera has turned. */
  turned: (camera: Quaternion) => void;
  /** What is below the pointer, which is at x and y of the canvas; null: nothing. */
  pointed: (item: SceneItem | null, x: number, y: number) => void;
  clicked: (item: SceneItem | null) => void;
  /** Something was drawn. */
  drawn: () => void;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(kViewAngle);
  parts: Parts;
  readonly ground = new Ground();
  /** In place of the ground, where the scene has one. */
  sea?: Sea;
  /** Counts what was drawn. */
  frames = 0;
  private readonly space = new Space();
  private readonly controls: OrbitControls;
  private readonly sky = new HemisphereLight(undefined, undefined, 1.5);
  private readonly sun = new DirectionalLight(undefined, 1.7);
  private readonly lamp = new DirectionalLight(undefined, 1.1); // on the camera: what is seen is lit
  private readonly listeners = new AbortController();
  private readonly resized: ResizeObserver;
  private isSelected: (item: SceneItem) => boolean = () => false;
  private isStale = true;
  private isHeld = false; // the user has chosen what is seen
  private fitted = 0; // size of what was seen completely [m]
  private drawnVersion = -1;
  private readonly isSoftware: boolean;
  private readonly pixelRatio: number;
  private readonly pace = new Pace();
  private frame = 0;

  /** Throws NoWebGl. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    scene: Scene,
    private readonly values: SceneNumbers,
    private readonly shows: Shows,
  ) {
    this.isSoftware = isSoftwareGl();
    const context = canvas.getContext('webgl2', {antialias: !this.isSoftware, stencil: true});
    if (!context) throw new NoWebGl();
    this.pixelRatio = this.isSoftware ? 1 : Math.min(window.devicePixelRatio, 2);
    this.renderer = new WebGLRenderer({canvas, context});
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.dampingFactor = 0.15;
    this.controls.enableDamping = true;
    this.parts = this.makeParts(scene);
    this.fill(scene);
    this.sun.position.copy(kSun);
    this.space.add(this.ground.grid, this.parts.group, this.sky, this.sun, this.lamp);
    this.paint();
    this.listen();
    this.resized = new ResizeObserver(() => this.resize());
    this.resized.observe(canvas);
    this.resize();
    this.frame = requestAnimationFrame(this.draw);
  }

  /** Takes the colours of the page's theme. */
  paint(): void {
    const palette: Palette = readPalette(this.canvas);
    this.renderer.setClearColor(palette.background);
    this.sky.color = palette.sky;
    this.sky.groundColor = palette.edge;
    const isDark = palette.background.getHSL({h: 0, s: 0, l: 0}).l < 0.5;
    this.ground.paint(palette.grid, palette.muted, isDark ? 0.45 : 0.16);
    this.sea?.paint(palette.water);
    this.parts.paint(palette);
    this.isStale = true;
  }

  /** Marks items. */
  select(isSelected: (item: SceneItem) => boolean): void {
    this.isSelected = isSelected;
    this.parts.select(isSelected);
    this.isStale = true;
  }

  /** Shows another scene in place of the present one; the camera stays where the user has put it. */
  replace(scene: Scene): void {
    this.space.remove(this.parts.group);
    this.parts.dispose();
    this.parts = this.makeParts(scene);
    this.space.add(this.parts.group);
    this.fill(scene);
    this.drawnVersion = -1;
    if (!this.isHeld) this.fitted = 0;
  }

  /** The whole mechanism, from a direction; without one, from where the camera is. */
  fit(direction?: Direction): void {
    const {bounds} = this.parts;
    const {center, radius} = bounds.getBoundingSphere(new Sphere());
    if (!(radius > 0)) return;
    const from = direction ? kDirections[direction].clone() : this.camera.position.clone().sub(this.controls.target);
    const {camera, controls} = this;
    controls.target.copy(center);
    camera.position.copy(center).add(from);
    camera.lookAt(center);
    // As near as all corners are seen.
    const turn = camera.quaternion.clone().invert();
    const up = Math.tan(((kViewAngle / 2) * Math.PI) / 180);
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const [x, y, z] = [i & 1, i & 2, i & 4].map(Boolean);
      const {min, max} = bounds;
      const corner = new Vector3(x ? max.x : min.x, y ? max.y : min.y, z ? max.z : min.z).sub(center).applyQuaternion(turn);
      distance = Math.max(
        distance,
        corner.z + (kMargin * Math.max(Math.abs(corner.x) / camera.aspect, Math.abs(corner.y))) / up,
      );
    }
    camera.position.copy(center).addScaledVector(from.normalize(), distance);
    camera.near = radius / 50;
    camera.far = 60 * radius;
    camera.updateProjectionMatrix();
    controls.maxDistance = 20 * radius;
    this.ground.place(center.x, center.y, 2 * radius);
    this.sea?.place(center.x, center.y, 2 * radius);
    this.fitted = this.parts.size;
    this.isHeld = false;
    this.isStale = true;
  }

  /** Draws with the next frame, though nothing may have changed. */
  invalidate(): void {
    this.isStale = true;
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.listeners.abort();
    this.resized.disconnect();
    this.controls.dispose();
    this.parts.dispose();
    this.ground.dispose();
    this.sea?.dispose();
    this.renderer.dispose();
    // A browser has few contexts, and would take one away that is in use.
    this.renderer.getContext().getExtension('WEBGL_lose_context')?.loseContext();
  }

  private listen(): void {
    const {signal} = this.listeners;
    const {canvas} = this;
    const hold = () => {
      this.isHeld = true;
    };
    this.controls.addEventListener('start', hold);
    canvas.addEventListener('webglcontextlost', () => this.shows.lost(), {signal});
    let down: {x: number; y: number} | null = null;
    canvas.addEventListener(
      'pointerdown',
      ({offsetX: x, offsetY: y}) => {
        down = {x, y};
        this.shows.pointed(null, x, y);
      },
      {signal},
    );
    canvas.addEventListener(
      'pointerup',
      ({offsetX: x, offsetY: y}) => {
        if (down && Math.hypot(x - down.x, y - down.y) < kStill) this.shows.clicked(this.itemAt(x, y));
        down = null;
      },
      {signal},
    );
    canvas.addEventListener(
      'pointermove',
      ({offsetX: x, offsetY: y, buttons}) => {
        if (!buttons) this.shows.pointed(this.itemAt(x, y), x, y);
      },
      {signal},
    );
    canvas.addEventListener('pointerleave', ({offsetX: x, offsetY: y}) => this.shows.pointed(null, x, y), {signal});
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.controls.rotateLeft(kTurn),
      ArrowRight: () => this.controls.rotateLeft(-kTurn),
      ArrowUp: () => this.controls.rotateUp(kTurn),
      ArrowDown: () => this.controls.rotateUp(-kTurn),
      '+': () => this.controls.dollyIn(kZoom),
      '-': () => this.controls.dollyOut(kZoom),
      '0': () => this.fit('free'),
    };
    canvas.addEventListener(
      'keydown',
      (event) => {
        const act = keys[event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        hold();
        act();
      },
      {signal},
    );
  }

  private makeParts(scene: Scene): Parts {
    const parts = new Parts(scene, this.values, readPalette(this.canvas), this.isSoftware);
    parts.group.matrixAutoUpdate = false;
    parts.select(this.isSelected);
    return parts;
  }

  /** Makes the sea of a scene that has one. */
  private fill(scene: Scene): void {
    if (this.sea) this.space.remove(this.sea.mesh);
    this.sea?.dispose();
    const waves = scene.items.find(({kind}) => kind === 'surface')?.waves;
    this.sea = waves && new Sea(waves);
    this.ground.grid.visible = !this.sea;
    if (!this.sea) return;
    this.sea.paint(readPalette(this.canvas).water);
    this.space.add(this.sea.mesh);
  }

  private itemAt(x: number, y: number): SceneItem | null {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return this.parts.pick(ray);
  }

  private resize(): void {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(this.pixelRatio * (this.pace.now === 'least' ? kFewer : 1));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.isStale = true;
  }

  private readonly draw = (time: number): void => {
    this.frame = requestAnimationFrame(this.draw);
    if (this.drawnVersion !== this.values.version) {
      this.drawnVersion = this.values.version;
      this.parts.update();
      this.parts.trace();
      this.isStale = true;
    }
    if (this.sea && this.sea.time !== this.values.time()) this.isStale = true;
    // A mechanism that moves out of the picture is seen again, until the user looks at something else.
    if (!this.isHeld && this.parts.size > kGrown * this.fitted) this.fit(this.fitted ? undefined : 'free');
    if (this.controls.update()) {
      this.isStale = true;
      this.shows.turned(this.camera.quaternion);
    }
    const before = this.pace.now;
    if (!this.pace.take(time, this.isStale)) return;
    if ((before === 'least') !== (this.pace.now === 'least')) this.resize();
    this.isStale = false;
    this.frames++;
    this.parts.prepare();
    this.sea?.move(this.values.time());
    this.lamp.position.copy(this.camera.position).sub(this.controls.target);
    const hasShadows = this.pace.now === 'all' && !this.sea;
    this.renderer.autoClear = true;
    if (hasShadows) this.render(kFlat, this.ground.shadow);
    this.renderer.autoClear = !hasShadows;
    this.render(kAsItIs, null);
    this.shows.drawn();
  };

  /** First the shadows, then what is seen over them; what is drawn first clears the picture. */
  private render(matrix: Matrix4, material: Material | null): void {
    const {group} = this.parts;
    group.matrix.copy(matrix);
    group.matrixWorldNeedsUpdate = true;
    this.space.overrideMaterial = material;
    if (material) this.camera.layers.disable(kThinLayer);
    else this.camera.layers.enable(kThinLayer);
    this.renderer.render(this.space, this.camera);
  }
}
