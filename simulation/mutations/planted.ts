import type { Mutation } from '../engine/program.ts'

/** A fault that somebody could have made, and that the simulation has to find; `seed`: the first one that is tried. */
export type Planted = Mutation & { name: string; days?: number; seed?: number }

/** A file of the service, and the seed that is tried first. */
type Place = string | readonly [file: string, seed: number]

/** What is changed in that file into what else; into nothing if that is not said. */
type Change = { find: string; replace?: string }

export function plant(name: string, place: Place, { find, replace = '' }: Change): Planted {
  if (typeof place === 'string') return { name, file: place, find, replace }
  const [file, seed] = place
  return { name, file, seed, find, replace }
}
