import type { Document, JsonSchema, OperationMethod, Operation } from '../openapi/json-schemas.ts'

export type PlacedOperation = { method: OperationMethod; path: string; operation: Operation }

/** Operations that belong together. */
export type Group = { name: string; description: string; operations: readonly PlacedOperation[] }

/** One page of the reference. Its name is the end of its address; the overview has none. */
export type ReferencePage = { name: string; title: string } & (
  | { kind: 'overview' | 'webhooks' | 'objects' | 'errors' }
  | { kind: 'operation'; group: string; placed: PlacedOperation }
  | { kind: 'object'; schema: JsonSchema }
)

/** All pages, in the order of reading. */
export function referencePages(document: Document): ReferencePage[] {
  return [
    { kind: 'overview', name: '', title: 'API reference' },
    ...groupsOf(document).flatMap(({ name: group, operations }) =>
      operations.map((placed): ReferencePage => {
        const { operationId: name, summary: title } = placed.operation
        return { kind: 'operation', name, title, group, placed }
      }),
    ),
    { kind: 'webhooks', name: 'webhooks', title: 'Webhooks' },
    { kind: 'objects', name: 'objects', title: 'Objects' },
    ...Object.entries(document.components.schemas).map(([name, schema]): ReferencePage => ({
      kind: 'object',
      name,
      title: name,
      schema,
    })),
    { kind: 'errors', name: 'errors', title: 'Errors' },
  ]
}

export function groupsOf(document: Document): Group[] {
  const placed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): PlacedOperation[] =>
      operation ? [{ method: method as OperationMethod, path, operation }] : [],
    ),
  )
  return document.tags
    .map((tag) => ({
      ...tag,
      operations: placed.filter(({ operation }) => operation.tags[0] === tag.name),
    }))
    .filter(({ operations }) => operations.length > 0)
}
