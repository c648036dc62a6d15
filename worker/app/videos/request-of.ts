import { createVideo } from '../../contract/options/create-video.ts'
import { processingOptions } from '../../contract/options/options.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'

/** The request that would make the video of a record once more: what it was given, without what stands for itself. */
export function requestOf(record: VideoRecord): Record<string, unknown> {
  const told: Readonly<Record<string, unknown>> = record
  const { videoName, ...rest } = createVideo.shape
  const source = ['fileUrl', 'files', 'uploadId', 'combine']
  const names = [...source, ...Object.keys({ videoName }), ...Object.keys(rest)]
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => {
      const value = told[name]
      return value === undefined || isDefault(name, value) ? [] : [[name, value]]
    }),
  )
}

function isDefault(name: string, value: unknown): boolean {
  const option = Object.entries(processingOptions).find(([known]) => known === name)?.[1]
  const fallback: unknown = option?.safeParse(undefined).data
  return fallback !== undefined && fallback === value
}
