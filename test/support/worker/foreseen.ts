import type { Foresight } from '../../../worker/contract/job/foresight.ts'

export const exactly = (value: number) => ({ likely: value, least: value, most: value })

/** What a media worker foresees of a film that is copied. */
export const foreseen: Foresight = {
  sources: [
    { field: 'fileUrl', format: 'mp4', sizeInBytes: 9_000_000, duration: 12, audioCodec: null },
  ],
  results: [
    {
      ...{ format: 'mp4', picture: 'copied', whyEncoded: null, sound: 'none' },
      duration: exactly(12),
      sizeInBytes: { likely: 2e9, least: 1e9, most: 4e9 },
    },
  ],
  ...{ warnings: ['The video has no sound.'], refusal: null, unknown: [] },
  seconds: exactly(4),
  cpuSeconds: { likely: 100, least: 50, most: 200 },
}
