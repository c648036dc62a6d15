import { Validator } from '@cfworker/json-schema'
import type { Document, JsonSchema } from '../../../worker/reference/openapi/json-schemas.ts'

/**
 * Checks values against the schemas of an API description with a validator that is independent of zod. The schemas of
 * answers are open, so that answers may get new fields; here they are closed, so that no new field goes unnoticed.
 */
export class DocumentSchemas {
  readonly #components: JsonSchema
  /** Made once for each schema, because each reads all components. */
  readonly #validators = new WeakMap<JsonSchema, Validator>()

  constructor(document: Document) {
    this.#components = closed(document.components) as JsonSchema
  }

  /** The faults of the value, by their location. */
  faultsOf(schema: JsonSchema, value: unknown): string[] {
    const { errors } = this.#validatorOf(schema).validate(value)
    return errors.map((error) => `${error.instanceLocation} ${error.error}`)
  }

  #validatorOf(schema: JsonSchema): Validator {
    const known = this.#validators.get(schema)
    if (known) return known
    const whole = { ...(closed(schema) as JsonSchema), components: this.#components }
    const validator = new Validator(whole, '2020-12', false)
    this.#validators.set(schema, validator)
    return validator
  }
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  const isOpenObject = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  return isOpenObject ? { additionalProperties: false, ...copy } : copy
}
