import { globalsOf, pauseOf, type Stage } from '../engine/globals.ts'
import { smallPages } from '../engine/small-limits.ts'
import { compile, type Exported, type Mutation } from '../engine/program.ts'

export type Started = { program: Exported; stage: Stage }

/** Compiles the program in this process, for one world after another; `pages`: how much it does at a time. */
export async function startProgram(
  mutations: readonly Mutation[] = [],
  pages: readonly Mutation[] = smallPages,
): Promise<Started> {
  const program = await compile([...pages, ...mutations])
  const stage: Partial<Stage> = {}
  // Each world enters the stage before it runs anything.
  const surroundings = { globals: globalsOf(stage as Stage), pause: pauseOf(stage as Stage) }
  return { program: program(surroundings), stage: stage as Stage }
}
