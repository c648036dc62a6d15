import type { Mutation } from '../engine/program.ts'

/** A fault that somebody could have made, and that the simulation has to find; `seed`: the first one that is tried. */
export type Planted = Mutation & { name: string; days?: number; seed?: number }
