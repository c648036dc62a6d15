export type Step = string | number

/** Deeper than any field is. A form may name whatever it wants. */
const mostSteps = 12

/** The steps of a path as error messages write it: `elements[2].position.anchor`. */
export function stepsOf(path: string): Step[] {
  const steps = [...path.matchAll(/\[(\d{1,4})\]|[^.[\]]+/g)].slice(0, mostSteps)
  return steps.map(([step, index]) => (index === undefined ? step : Number(index)))
}

/** What is at a path of a request; undefined if nothing is. */
export function valueAt(root: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    return (value as Record<Step, unknown>)[step]
  }, root)
}
