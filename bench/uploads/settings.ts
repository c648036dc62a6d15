import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { readOptions } from '../read-options.ts'

export type UploadsSettings = { megabytes: number[] }

export const uploadsHelp = `Usage: npm run bench -- uploads [options]

Sends files of several sizes through POST /v1/videos/upload, and the same bytes as a raw PUT into the same R2 and through
the parser alone. Every one of them gets a Worker of its own, so that its peak is its own. Takes some minutes, and twice
the size of the largest file on the disk. Linux only.

  --sizes LIST  megabytes, comma-separated, at least two (default: 256,1024,2048)
`

export function readUploadsSettings(args: readonly string[]): UploadsSettings {
  const options = { sizes: { type: 'string', default: '256,1024,2048' } } as const
  const megabytes = readOptions(args, options, uploadsHelp).sizes.split(',').map(Number)
  const legal = megabytes.every((size) => Number.isInteger(size) && size >= 1 && size <= 2048)
  if (!legal || megabytes.length < 2) {
    throw new StopWithMessage('--sizes must name at least two whole numbers from 1 to 2048.', 2)
  }
  return { megabytes: megabytes.sort((a, b) => a - b) }
}
