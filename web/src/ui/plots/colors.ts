// Colours of lines: told apart on light and dark, and by those who do not see all colours.
export const kLight = ['#0f6fb0', '#c2571a', '#2a8a57', '#8250b0', '#b03a5b', '#6b6f16', '#157f8c', '#7a5230'];
export const kDark = ['#5cb3f0', '#f0975a', '#5fcf95', '#bd93ea', '#f07f9f', '#c5c95a', '#56c7d3', '#d0a27a'];

export const lineColor = (index: number, isDark: boolean): string => (isDark ? kDark : kLight)[index % kLight.length]!;
