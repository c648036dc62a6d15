import type { ConfirmedObject } from '../objects/confirm-objects.ts'
import type { Label } from '../objects/labels.ts'

type Scene = { readonly name: string; readonly signs: readonly Label[]; readonly needed: number }

/** Rooms by their furniture. One piece may stand anywhere; two pieces of one kind of room make that room likely. */
const scenes: readonly Scene[] = [
  { name: 'kitchen', signs: ['oven', 'refrigerator', 'microwave', 'sink', 'toaster'], needed: 2 },
  { name: 'bathroom', signs: ['toilet', 'sink', 'toothbrush', 'hair dryer'], needed: 2 },
  { name: 'living room', signs: ['couch', 'tv', 'remote control'], needed: 2 },
  { name: 'office', signs: ['laptop', 'keyboard', 'mouse', 'tv'], needed: 3 },
  {
    name: 'street',
    signs: ['car', 'bus', 'truck', 'motorcycle', 'traffic light', 'stop sign', 'parking meter'],
    needed: 3,
  },
]

/** The place of the scene, if the objects in it show one. */
export function sceneKind(objects: readonly ConfirmedObject[]): string | undefined {
  const seen = new Set<string>(objects.map(({ label }) => label))
  const counts = scenes.map(({ name, signs, needed }) => ({
    name,
    surplus: signs.filter((sign) => seen.has(sign)).length - needed,
  }))
  const fitting = counts.filter(({ surplus }) => surplus >= 0)
  return fitting.sort((a, b) => b.surplus - a.surplus)[0]?.name
}
