// What a user does with the page of `davit studio`, by mouse and keyboard.
import assert from 'node:assert/strict';

export class Editor {
  constructor(page) {
    this.page = page;
  }

  async until(what, condition, patience = 20_000) {
    const end = Date.now() + patience;
    for (;;) {
      if (await condition()) return;
      if (Date.now() > end) assert.fail(`waited in vain: ${what}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Opens the list of files. A page that has just been loaded opens and closes it itself. */
  async showFiles() {
    const files = this.page.locator('.left-pane details', {hasText: 'Files'}).first();
    await this.until('the list of files', async () => {
      if (await files.evaluate((details) => details.open)) return true;
      await files.locator('summary').click();
      return false;
    });
  }

  async open(path) {
    const back = this.page.getByRole('button', {name: 'Draw', exact: true});
    if (await back.count()) await back.click();
    const file = this.page
      .getByRole('list', {name: 'Files'})
      .getByRole('button', {name: new RegExp(`^${path.replace(/[.]/g, '\\.')}( •)?$`)});
    await this.until(`${path} in the list of files`, async () => {
      await this.showFiles();
      return file.click({timeout: 1000}).then(
        () => true,
        () => false,
      );
    });
    await this.page.locator('.trail h1', {hasText: path}).waitFor();
  }

  async make(path, template) {
    await this.showFiles();
    await this.page.getByRole('button', {name: 'New …'}).click();
    const dialog = this.page.getByRole('dialog', {name: 'New system'});
    await dialog.getByRole('textbox', {name: 'File'}).fill(path);
    if (template) await dialog.getByRole('radio', {name: template}).check();
    await dialog.getByRole('button', {name: 'Make'}).click();
    await this.page.locator('.trail h1', {hasText: path}).waitFor();
  }

  /** From the palette to a place of the sheet, in shares of what is seen. */
  async drag(model, x, y) {
    await this.page.getByRole('searchbox', {name: 'Search models'}).fill(model);
    const sheet = this.page.locator('.sheet');
    const {width, height} = await sheet.boundingBox();
    await this.page.locator(`.palette [data-model="${model}"]`).dragTo(sheet, {targetPosition: {x: x * width, y: y * height}});
    return this.page.locator('.form input.component-name').inputValue();
  }

  /** By the keyboard: search, Enter. */
  async add(model) {
    await this.page.locator('.sheet').focus();
    await this.page.keyboard.press('/');
    await this.page.keyboard.insertText(model);
    await this.page.locator(`.palette [data-model="${model}"]`).waitFor();
    await this.page.keyboard.press('Enter');
    return this.page.locator('.form input.component-name').inputValue();
  }

  async rename(name) {
    await this.page.locator('.sheet').focus();
    await this.page.keyboard.press('F2');
    await this.page.keyboard.insertText(name);
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.form[data-component="${name}"]`).waitFor();
  }

  component(name) {
    return this.page.locator(`.sheet .component[data-path="${name}"], .sheet .subsystem[data-path="${name}"]`).first();
  }

  /** A click in the middle of its symbol. */
  async click(name, key) {
    const box = await this.boxOf(this.component(name).locator('.hit, .frame').first());
    if (key) await this.page.keyboard.down(key);
    await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    if (key) await this.page.keyboard.up(key);
  }

  async choose(name) {
    await this.click(name);
    await this.page.locator(`.form[data-component="${name}"]`).waitFor();
  }

  /** A field of the form: a parameter, or a start value. */
  async set(name, value, section) {
    const within = section
      ? this.page.locator('.form details', {has: this.page.locator(`summary:text-matches("^${section}")`)})
      : this.page.locator('.form');
    if (name === 'level') {
      const button = within.getByRole('group', {name: 'level'}).getByRole('button', {name: value});
      if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
      return;
    }
    const row = within.locator(`[data-row="${name}"]`).first();
    const list = row.locator('select');
    if (await list.count()) {
      await list.selectOption(value);
      return;
    }
    await row.locator('input').fill(value);
    await row.locator('input').press('Enter');
  }

  handle(end) {
    return this.page.locator(`.sheet [data-end="${end}"]`);
  }

  /** The box of what may be drawn anew at any time. */
  async boxOf(locator) {
    let box;
    await this.until(`a box of ${locator}`, async () => {
      box = await locator.boundingBox();
      return box !== null;
    });
    return box;
  }

  /** Draws a line from port to port with the mouse. */
  async drawLine(from, to) {
    const middle = async (name) => {
      const box = await this.boxOf(this.component(name).locator('.hit'));
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await this.page.mouse.move(...(await middle(from.split('.')[0])));
    const a = await this.boxOf(this.handle(from).first());
    await this.page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(...(await middle(to.split('.')[0])), {steps: 3});
    const b = await this.boxOf(this.handle(to).first());
    await this.page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, {steps: 3});
    await this.page.mouse.up();
    await this.line(from, to).waitFor({state: 'attached'});
  }

  line(a, b) {
    return this.page.locator(`.sheet [data-line="${a} ${b}"], .sheet [data-line="${b} ${a}"]`);
  }

  /** By the keyboard: C, the end of this component, a part of the name of the other, Enter. */
  async connect(from, to) {
    const [name] = from.split('.');
    await this.component(name).focus();
    await this.page.keyboard.press('Space');
    await this.page.locator(`.form[data-component="${name}"]`).waitFor();
    await this.page.keyboard.press('c');
    const dialog = this.page.getByRole('dialog', {name: `Connect ${name}`});
    await dialog
      .locator('label.end', {has: this.page.locator(`.name:text-is("${from.slice(name.length + 1)}")`)})
      .locator('input')
      .check();
    await dialog.getByRole('searchbox').fill(to);
    await dialog.locator(`[data-open-end="${to}"]`).waitFor();
    await dialog.locator(`[data-open-end="${to}"]`).press('Enter');
    await this.line(from, to).waitFor({state: 'attached'});
  }

  /** Back to the form of the system. */
  async chooseNothing() {
    await this.page.locator('.sheet').focus();
    await this.page.keyboard.press('Escape');
    await this.page.locator('.form[data-component=""]').waitFor();
  }

  async openSection(title) {
    const section = this.page.locator('.form details', {has: this.page.locator(`summary:text-matches("^${title}")`)});
    if (!(await section.evaluate((details) => details.open))) await section.locator('summary').click();
  }

  async save() {
    await this.page.keyboard.press('Control+s');
    await this.until('everything saved', () => this.page.getByRole('button', {name: /^Save( \d+)?$/}).isDisabled());
  }

  status() {
    return this.page.locator('.status.check');
  }
}
