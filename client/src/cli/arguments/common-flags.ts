import type { Flag } from './flag.ts'

/** Every command has these. */
export const commonFlags: readonly Flag[] = [
  { name: 'json', kind: 'switch', help: 'Answer as JSON, for programs' },
  { name: 'quiet', short: 'q', kind: 'switch', help: 'Say nothing but results and errors' },
  { name: 'color', kind: 'switch', usual: 'true', help: 'No colours; NO_COLOR=1 does the same' },
  {
    name: 'profile',
    kind: 'text',
    value: 'NAME',
    help: 'Use the service and key that `spool login --profile NAME` has kept',
  },
  {
    name: 'base-url',
    kind: 'text',
    value: 'URL',
    help: 'Address of the service; instead of SPOOL_BASE_URL',
  },
  { name: 'help', short: 'h', kind: 'switch', help: 'Show this help' },
]
