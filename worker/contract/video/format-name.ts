const names: Readonly<Record<string, string>> = {
  ...{ webm: 'WebM', webp: 'WebP', sprite: 'sprite' },
}

/** How people write the name of a format. */
export function formatName(format: string): string {
  return names[format] ?? format.toUpperCase()
}
