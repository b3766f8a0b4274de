// Draws the SVG files of docs/images as PNG: the docs reader, and other hosts of docs, show no SVG.
//   npm run diagrams
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from '../support/browser.ts';

const FOLDER = join(import.meta.dirname, '../../docs/images');

const browser = await launchBrowser();
const page = await browser.newPage({ deviceScaleFactor: 1.5 });
for (const name of readdirSync(FOLDER).filter(each => each.endsWith('.svg'))) {
  await page.setContent(readFileSync(join(FOLDER, name), 'utf8'));
  const path = join(FOLDER, name.replace(/svg$/, 'png'));
  await page.locator('svg').screenshot({ path });
  console.log(path);
}
await browser.close();
