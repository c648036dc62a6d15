import { rename } from 'node:fs/promises'
import path from 'node:path'
import { namedKind } from '../../../worker/contract/job/media-job.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { planJob, type Planned } from '../plan/plan-job.ts'
import { renderChecked, type CheckedFilm } from '../check/render-checked.ts'
import type { FirstEncode } from '../render/render-freely.ts'
import { asOutput } from './as-output.ts'
import type { MadeOutput } from './made-output.ts'
import { thousandths } from '../../numbers/thousandths.ts'

export async function planFilm(cut: Cut, output: Output, place: number): Promise<Planned> {
  return planJob(await asOutput(cut, output, place))
}

export async function renderFilm(
  planned: Planned,
  place: number,
  first: FirstEncode | undefined,
): Promise<CheckedFilm> {
  const rendered = await renderChecked(planned, first)
  // The next output writes files of the same names.
  const name = `film${place}.${rendered.plan.format}`
  const { folder } = planned.context.tools
  await rename(path.join(folder, rendered.name), path.join(folder, name))
  return { ...rendered, name }
}

export function filmMade(
  { name }: Output,
  { name: file, facts, plan, checks }: CheckedFilm,
  isFirst: boolean,
): MadeOutput {
  const kind = isFirst ? 'final' : namedKind(name)
  return {
    files: [{ file, kind, extension: plan.format }],
    film: { name: file, facts },
    told: {
      ...{ name, kind },
      format: plan.format,
      width: facts.video.width,
      height: facts.video.height,
      duration: thousandths(facts.durationSeconds),
      warnings: plan.warnings.slice(0, 200),
      checks: [...checks],
    },
  }
}
