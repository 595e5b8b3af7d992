import type {ComponentChildren} from 'preact';

const Icon = ({children}: {children: ComponentChildren}) => (
  <svg
    class="icon"
    viewBox="0 0 16 16"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    {children}
  </svg>
);

export const PlayIcon = () => (
  <Icon>
    <path d="M4.500 2.800v10.400l8.500-5.200z" fill="currentColor" />
  </Icon>
);
export const PauseIcon = () => (
  <Icon>
    <path d="M5 3v10M11 3v10" stroke-width="2.500" />
  </Icon>
);
export const StepIcon = () => (
  <Icon>
    <path d="M3.500 3v10l6.500-5zM12.500 3v10" fill="currentColor" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="M12.500 3v10l-6.500-5zM3.500 3v10" fill="currentColor" />
  </Icon>
);
export const ResetIcon = () => (
  <Icon>
    <path d="M3 8a5 5 0 1 0 1.600-3.700M3 2.500v3h3" />
  </Icon>
);
export const PlotIcon = () => (
  <Icon>
    <path d="M2 2v12h12M4.500 10.500l3-4 2.500 2.500 3.500-5" />
  </Icon>
);
export const FitIcon = () => (
  <Icon>
    <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
  </Icon>
);
export const LightIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="3" />
    <path d="M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1" />
  </Icon>
);
export const DarkIcon = () => (
  <Icon>
    <path d="M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z" />
  </Icon>
);
export const BellIcon = () => (
  <Icon>
    <path d="M3.500 11.500c1-1 1-2 1-4a3.500 3.500 0 0 1 7 0c0 2 0 3 1 4zM6.500 13.500c.600 1 2.400 1 3 0" />
  </Icon>
);
