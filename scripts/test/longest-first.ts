import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../machine/checkout.ts'

/** They take longest with their campaigns, so none of them may be the last to begin. */
export const longest: readonly string[] = [
  'test/containers-engine/jobs.test.ts',
  'test/simulation/promises.test.ts',
  'test/journeys/guides.test.ts',
  'test/simulation/scale.test.ts',
  'test/simulation/mutations.test.ts',
  // Later than the other file of the engine, which has it alone until its images are made.
  'test/containers-engine/compose.test.ts',
  'test/journeys/behind-proxies.test.ts',
  'test/worker/faults/parts.fault-table.test.ts',
  'test/containers/render/phone-footage.test.ts',
  'test/journeys/restart.test.ts',
  'test/containers/parts/window/window-sweep.test.ts',
  'test/worker/faults/line.fault-table.test.ts',
  'test/journeys/small-disk.test.ts',
  'test/containers/removed-marks.test.ts',
  'test/containers/job/outputs/output-rates.test.ts',
  'test/journeys/dev.test.ts',
  'test/journeys/film-in-parts.test.ts',
  'test/journeys/isolate-memory.test.ts',
  'test/journeys/demo.test.ts',
  'test/journeys/guide-pages.test.ts',
]

/**
 * Begins with the longest files, because a clean clone has no times of earlier runs to tell them by, and keeps the cores
 * busy: journeys wait most of the time, so they are spread among files that compute.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files), ({ project, moduleId }) => ({
      project: project.name,
      file: path.relative(root, moduleId),
    }))
  }
}

/** `files` follow each other by project, as vitest wants them: one process then takes many of them. */
export function inOrder<File>(
  files: readonly File[],
  told: (file: File) => { project: string; file: string },
): File[] {
  const place = (file: File): number => longest.indexOf(told(file).file)
  const rest = files.filter((file) => place(file) < 0)
  const of = (project: string): File[] => rest.filter((file) => told(file).project === project)
  const [journeys, computing] = [of('journeys'), of('node')]
  const spread = computing.flatMap((file, i) => [
    ...journeys.filter((_, k) => Math.floor((k * computing.length) / journeys.length) === i),
    file,
  ])
  const first = files.filter((file) => place(file) >= 0)
  return [
    ...first.toSorted((one, other) => place(one) - place(other)),
    ...(computing.length > 0 ? spread : journeys),
    ...rest.filter((file) => !['journeys', 'node'].includes(told(file).project)),
  ]
}
