import { publicRoutes, type PublicRoute, type Route } from '../../contract/routes.ts'
import { describeOperation } from './describe-operation.ts'
import type { Method, Operation, PathItem } from './openapi-types.ts'
import { groups, operations } from './operations.ts'

/** Every path of the route table with its operations. */
export function describePaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const [name, route] of Object.entries<Route>(publicRoutes)) {
    // Object.entries() loses the type of the keys; the table has no others.
    const operation = describe(name as PublicRoute, route)
    const item = { ...paths[route.path], [route.method.toLowerCase() as Method]: operation }
    paths[route.path] = name === 'getFile' ? { ...item, head: describe('headFile', route) } : item
  }
  return paths
}

function describe(name: keyof typeof operations, route: Route): Operation {
  const tag = groups.find((group) => name in group.operations)?.name ?? ''
  return describeOperation(name, tag, operations[name], route)
}
