import type { CheckOptions } from '../check-options.ts';
import { annotation } from './github.ts';
import { junit } from './junit.ts';
import { asJson, type CheckedSite, report } from './report.ts';
import { sarif } from './sarif.ts';

interface Printing extends CheckOptions {
  folder: string;
  version: string;
}

/** The lines that the check prints. */
export function printed(checked: readonly CheckedSite[], options: Printing): string[] {
  const { folder, version, anchors, everySite } = options;
  const findings = checked.flatMap(one => one.findings);
  const format = options.json ? 'json' : (options.format ?? 'text');
  switch (format) {
    case 'json': {
      const sites = checked.map(one => asJson(one, anchors));
      return [JSON.stringify(everySite ? { sites } : sites[0])];
    }
    case 'github':
      return findings.map(finding => annotation(finding, folder));
    case 'sarif':
      return [JSON.stringify(sarif(findings, folder, version), undefined, 1)];
    case 'junit': {
      const pages = checked.flatMap(({ site }) => site?.pages.map(({ file }) => file) ?? []);
      return junit([...new Set(pages)], findings);
    }
    case 'text':
      return checked.flatMap(report);
  }
}
