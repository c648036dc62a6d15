import type { ShownCut } from './read-plan.ts'

/** Why something was cut out, for people. */
export const cutReasons: Record<ShownCut['why'], string> = {
  asked: 'the request leaves it out',
  text: 'you named its words',
  filler: 'filler',
  silence: 'nobody speaks',
}
