import { isDeepStrictEqual } from 'node:util'
import type { MediaInput } from '../../worker/contract/media-job.ts'
import {
  optionsSchema,
  type OptionName,
  type ProcessingOptions,
} from '../../worker/contract/options.ts'
import { appliedElementTypes, appliedInputOptions, appliedOptions } from './render-steps.ts'
import type { InputOptionName } from './render-state.ts'

const defaults = optionsSchema.parse({})

/** Options that were asked for and that nothing here reads. */
export function unappliedOptions(options: ProcessingOptions): OptionName[] {
  const names = optionsSchema.keyof().options
  return names.filter((name) => isAsked(options[name], defaults[name]) && !appliedOptions.has(name))
}

const inputOptionNames: readonly InputOptionName[] = ['disableAudio', 'removeSegments']

/** The same for single files, as the caller would write them: `files[1].removeSegments`. */
export function unappliedInputOptions(inputs: readonly MediaInput[]): string[] {
  return inputs.flatMap((input) =>
    inputOptionNames
      .filter((name) => isAsked(input[name], undefined) && !appliedInputOptions.has(name))
      .map((name) => `${input.field.replace(/\.url$/, '')}.${name}`),
  )
}

/** The same for single elements: `elements[2]`. */
export function unappliedElements({ elements = [] }: ProcessingOptions): string[] {
  return elements.flatMap(({ type }, i) =>
    appliedElementTypes.has(type) ? [] : [`elements[${i}]`],
  )
}

/** An empty list asks for nothing. */
function isAsked(value: unknown, byDefault: unknown): boolean {
  if (value === undefined || isDeepStrictEqual(value, byDefault)) return false
  return !(Array.isArray(value) && value.length === 0)
}

export function unappliedWarnings(
  options: ProcessingOptions,
  inputs: readonly MediaInput[],
): string[] {
  const names = [
    ...unappliedOptions(options),
    ...unappliedInputOptions(inputs),
    ...unappliedElements(options),
  ]
  return names.map((name) => `${name} was not applied: this version cannot do it yet.`)
}
