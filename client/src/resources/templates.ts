import type { PutPreset } from '../api-types.ts'

/** Any value may be a template instead: text such as `{{quality}}`, which `values` of a request fill. */
export type Templated<Value> = Value extends object
  ? { [Key in keyof Value]: Templated<Value[Key]> }
  : Value | `{{${string}}}`
export type TemplatedPreset = Omit<PutPreset, 'fields'> & { fields: Templated<PutPreset['fields']> }
