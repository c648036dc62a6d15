import { rm } from 'node:fs/promises'
import path from 'node:path'
import { namedKind, partKind } from '../../../../worker/contract/job/media-job.ts'
import {
  isStill,
  type StillFormat,
} from '../../../../worker/contract/options/outputs/output-pictures.ts'
import { refuseBehindEnd } from '../../../render/steps/take-excerpt.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import type { ResultFile } from '../../render/finish-output.ts'
import {
  openPictures,
  type MadePictures,
  type OpenedPictures,
  type PictureOutput,
} from './open-pictures.ts'
import { codePictures, jpegCoding, jpegFilters } from './picture-coding.ts'
import { picturePath, takePictures } from './take-pictures.ts'

type StillOutput = PictureOutput & { readonly outputFormat: StillFormat }

export const isStillOutput = (output: PictureOutput): output is StillOutput =>
  isStill(output.outputFormat)

/** Single pictures of the film: one file for each moment. */
export async function renderStills(
  cut: Cut,
  output: StillOutput,
  place: number,
): Promise<MadePictures> {
  const { name, outputFormat: format, times = [0] } = output
  const opened = await openPictures(cut, output, place)
  refuseLate(times, opened.seconds)
  const stem = `still${place}`
  const taken = await takePictures(opened, times, stem)
  const quality = output.compressionQuality ?? cut.context.job.options.compressionQuality
  const named = format === 'png' ? taken : await inJpeg(opened, { taken, stem, quality })
  const kind = namedKind(name)
  const kinds = times.map((_, i) => (i === 0 ? kind : partKind(name, String(i + 1))))
  const files = kinds.map((each, i): ResultFile => ({
    file: named[i] ?? '',
    kind: each,
    extension: format,
  }))
  return {
    files,
    planned: { sizes: [opened.size] },
    shown: {
      kind: 'stills',
      opened,
      moments: [...new Map(files.map(({ file }, i) => [file, times[i] ?? 0])).values()],
    },
    told: {
      ...{ name, kind, format, ...opened.size },
      ...(kinds.length > 1 && { files: kinds.slice(1) }),
      warnings: opened.warnings.slice(0, 200),
    },
  }
}

export function refuseLate(times: readonly number[] = [], filmSeconds: number): void {
  times.forEach((seconds, i) => {
    refuseBehindEnd(`times[${i}]`, seconds, filmSeconds)
  })
}

/** Codes all of them in one run. Two moments may show the same picture. */
async function inJpeg(
  { context: { tools } }: OpenedPictures,
  {
    taken,
    stem,
    quality,
  }: { readonly taken: readonly string[]; readonly stem: string; readonly quality: number },
): Promise<string[]> {
  const named = (file: string): string => file.replace(/png$/, 'jpg')
  const pictures = new Set(taken)
  const all = picturePath(stem, '%d')
  await codePictures(tools, {
    inputs: [['image2', all, '-start_number', '0']],
    graph: `[0:v]${jpegFilters}`,
    writing: [...jpegCoding(quality), '-fps_mode:v', 'passthrough', '-start_number', '0'],
    file: named(all),
    count: pictures.size,
  })
  for (const png of pictures) await rm(path.join(tools.folder, png), { force: true })
  return taken.map(named)
}
