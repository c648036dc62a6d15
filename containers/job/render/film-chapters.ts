import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { chaptersHeard } from '../hear/find-moments.ts'
import type { JobContext } from '../job-context.ts'
import type { MadeOutput } from '../outputs/made-output.ts'
import { addChapters, holdsChapters } from './add-chapters.ts'
import type { Rendered } from './run-plan.ts'

type Hear = () => Promise<Transcription>

/** The film with its chapters, if it is to have some. */
export async function filmWithChapters<Film extends Rendered>(
  context: JobContext,
  film: Film,
  hear: Hear,
): Promise<Film> {
  const { options } = context.job
  const { plan, facts, name } = film
  if (!options.chapters || !holdsChapters(plan.format)) return film
  const { durationSeconds } = facts
  const chapters = chaptersHeard(options, await hear(), durationSeconds)
  if (chapters.length === 0) return film
  const mostBytes = context.settings.MAX_OUTPUT_BYTES
  const place = { name, format: plan.format, from: 0, to: durationSeconds, mostBytes }
  const warning = await addChapters(context, place, chapters)
  const warnings = warning === undefined ? plan.warnings : [...plan.warnings, warning]
  const { size } = await stat(path.join(context.tools.folder, name))
  return { ...film, plan: { ...plan, warnings }, facts: { ...facts, sizeBytes: size } }
}

type Made = {
  readonly made: readonly MadeOutput[]
  readonly outputs: readonly Output[]
  readonly durationSeconds: number
}

/** The same for the films among several outputs; a part of the film has the chapters of that part. */
export async function outputsWithChapters(
  context: JobContext,
  { made, outputs, durationSeconds }: Made,
  hear: Hear,
): Promise<MadeOutput[]> {
  const { options } = context.job
  if (!options.chapters) return [...made]
  const chapters = chaptersHeard(options, await hear(), durationSeconds)
  const all: MadeOutput[] = []
  for (const one of made) {
    const { startTime: from = 0, maxBytes } =
      outputs.find(({ name }) => name === one.told.name) ?? {}
    const { format, duration = 0, warnings } = one.told
    const [file] = one.files
    if (chapters.length === 0 || !file || !holdsChapters(format)) {
      all.push(one)
      continue
    }
    const mostBytes = maxBytes ?? context.settings.MAX_OUTPUT_BYTES
    const place = { name: file.file, format, from, to: from + duration, mostBytes }
    const warning = await addChapters(context, place, chapters)
    const told = {
      ...one.told,
      warnings: [...warnings, ...(warning === undefined ? [] : [warning])],
    }
    all.push({ ...one, told })
  }
  return all
}
