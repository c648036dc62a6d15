import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../machine/checkout.ts'

/** They take longest with their campaigns, so none of them may be the last to begin. */
const longest: readonly string[] = [
  'test/containers-engine/jobs.test.ts',
  'test/simulation/promises.test.ts',
  'test/simulation/scale.test.ts',
  'test/simulation/mutations.test.ts',
  'test/containers/render/phone-footage.test.ts',
  'test/containers/parts/window/window-sweep.test.ts',
  'test/containers/removed-marks.test.ts',
  'test/containers/job/outputs/output-rates.test.ts',
  'test/worker/faults/parts.fault-table.test.ts',
  'test/worker/faults/line.fault-table.test.ts',
  'test/journeys/guides.test.ts',
  'test/journeys/behind-proxies.test.ts',
  'test/journeys/restart.test.ts',
  'test/journeys/small-disk.test.ts',
  'test/journeys/dev.test.ts',
  'test/journeys/film-in-parts.test.ts',
  'test/journeys/isolate-memory.test.ts',
  'test/journeys/demo.test.ts',
  'test/journeys/guide-pages.test.ts',
]

/** Begins each project with its longest files; a clean clone has no times of earlier runs to tell them by. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (one, other) =>
        groupOf(one) - groupOf(other) ||
        one.project.name.localeCompare(other.project.name) ||
        place(one) - place(other),
    )
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

function place({ moduleId }: TestSpecification): number {
  const found = longest.indexOf(path.relative(root, moduleId))
  return found < 0 ? longest.length : found
}
