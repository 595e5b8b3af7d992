// Which statecharts have to do with which components.
import type {ChartSignals} from '../api/types.ts';

export interface ChartLink {
  chart: string;
  component: string;
  kind: 'reads' | 'sets';
}

/** The links of a chart, or those to a component; a chart has none with the component that it is part of. */
export function chartLinks(charts: ChartSignals[], path: string, ownerOf: (item: string) => string | undefined): ChartLink[] {
  const links: ChartLink[] = [];
  for (const {path: chart, reads, sets} of charts) {
    for (const [kind, items] of [
      ['reads', reads],
      ['sets', sets],
    ] as const) {
      const owners = new Set(items.map(ownerOf).filter((owner) => owner !== undefined));
      for (const component of owners) {
        const isPart = component === chart || chart.startsWith(`${component}.`);
        if (!isPart && (chart === path || component === path)) links.push({chart, component, kind});
      }
    }
  }
  return links;
}
