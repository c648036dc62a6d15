import { globalsOf, pauseOf, type Stage } from '../engine/globals.ts'
import { compile, type Exported, type Mutation } from '../engine/program.ts'

export type Started = { program: Exported; stage: Stage }

/** The program in this process, for one world after another. */
export async function startProgram(mutations: readonly Mutation[] = []): Promise<Started> {
  const program = await compile(mutations)
  const stage: Partial<Stage> = {}
  // Each world enters the stage before it runs anything.
  const surroundings = { globals: globalsOf(stage as Stage), pause: pauseOf(stage as Stage) }
  return { program: program(surroundings), stage: stage as Stage }
}
