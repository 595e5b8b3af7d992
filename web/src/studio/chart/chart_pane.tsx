import {TextView} from '../text/text_view.tsx';

/** A chart that is open. */
export function ChartPane({path}: {path: string}) {
  return <TextView key={path} path={path} />;
}
