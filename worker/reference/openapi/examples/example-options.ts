import { z } from 'zod'
import { processingOptions, type ProcessingOptions } from '../../../contract/options/options.ts'
import { innerSchema, possibleValues } from '../../../contract/answers/wording.ts'

/** Each option with a value other than its default, so that it does something; lists are left out. */
export function exampleOptions(): Partial<ProcessingOptions> {
  const examples = Object.entries(processingOptions).flatMap(([name, option]) => {
    const example = exampleOf(option)
    return example === undefined ? [] : [[name, example] as const]
  })
  return Object.fromEntries(examples)
}

function exampleOf(option: z.ZodType): unknown {
  const given = option.meta()?.examples
  if (Array.isArray(given)) return given[0] as unknown
  const usual = option.safeParse(undefined).data
  const isFlag = innerSchema(option) instanceof z.ZodBoolean
  return isFlag ? !usual : possibleValues(option).find((value) => value !== usual)
}
