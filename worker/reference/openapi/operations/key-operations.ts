import { keysPerAccount } from '../../../contract/limits.ts'
import { answer, conflict, invalid } from '../answers.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import * as examples from '../examples/key-examples.ts'
import type { DescribedOperation, Response } from '../openapi-types.ts'
import { keyIdParameter, listKeysParameters } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

const tags: [string] = ['Keys']

function keyNotFound(): Response {
  return failure({
    description: 'There is no such key, or it is not yours.',
    headers: [...rateHeaderNames],
    examples: { missing: fault('NotFound', 'API key not found.') },
  })
}

export const createKeyOperation: DescribedOperation = {
  tags,
  summary: 'Create an API key',
  description:
    'Creates a key for your account. The answer is the only place where the key itself is shown: the service keeps a hash of it. A key can grant only scopes that it has itself, and a key that ends cannot create one that ends later.',
  parameters: [],
  requestBody: bodyRef('CreateKey'),
  responses: {
    201: answer({
      description: 'The key. Store it now.',
      schema: 'IssuedKey',
      examples: { issued: ['A key that may only read', examples.issuedKey] },
    }),
    400: invalid({
      scope: fault(
        'ValidationError',
        'scopes[1]: Must be a scope that your key has; it lacks videos:write',
        {
          details: [
            {
              field: 'scopes[1]',
              message: 'Must be a scope that your key has; it lacks videos:write',
            },
          ],
        },
      ),
    }),
    ...keyFailures,
    409: conflict(`The account has ${keysPerAccount} keys that are neither revoked nor expired.`, {
      full: fault(
        'Conflict',
        `The account has ${keysPerAccount} API keys already; revoke one that is no longer needed.`,
      ),
    }),
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const listKeysOperation: DescribedOperation = {
  tags,
  summary: 'List your API keys',
  description:
    'Every key of the account, newest first, without the keys themselves. Give `nextCursor` back as `cursor` until it is null.',
  parameters: listKeysParameters(),
  responses: {
    200: answer({
      description: 'One page.',
      schema: 'KeyPage',
      examples: { page: ['Two keys in use', examples.keyPage] },
    }),
    400: invalid({
      cursor: fault('ValidationError', 'cursor: Must be the nextCursor of an earlier page', {
        details: [{ field: 'cursor', message: 'Must be the nextCursor of an earlier page' }],
      }),
    }),
    ...keyFailures,
  },
}

export const readKeyOperation: DescribedOperation = {
  tags,
  summary: 'Read one API key',
  description: 'What the key may do, until when, and when it was last used.',
  parameters: [keyIdParameter],
  responses: {
    200: answer({
      description: 'The key.',
      schema: 'Key',
      examples: { used: ['A key in use', examples.usedKey] },
    }),
    ...keyFailures,
    404: keyNotFound(),
  },
}

export const renameKeyOperation: DescribedOperation = {
  tags,
  summary: 'Rename an API key',
  description: 'Changes the name that lists show. What the key may do cannot be changed.',
  parameters: [keyIdParameter],
  requestBody: bodyRef('RenameKey'),
  responses: {
    200: answer({
      description: 'The key with its new name.',
      schema: 'Key',
      examples: { renamed: ['Renamed', examples.renamedKey] },
    }),
    400: invalid({
      name: fault('ValidationError', 'name: Must not be empty', {
        details: [{ field: 'name', message: 'Must not be empty' }],
      }),
    }),
    ...keyFailures,
    404: keyNotFound(),
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const revokeKeyOperation: DescribedOperation = {
  tags,
  summary: 'Revoke an API key',
  description:
    'Ends the key: the next request with it is refused. Jobs that it started go on, and links to files stay good. A key may revoke itself. Revoking a key twice changes nothing.',
  parameters: [keyIdParameter],
  responses: {
    204: { description: 'The key is revoked.', headers: headerRefs(...rateHeaderNames) },
    ...keyFailures,
    404: keyNotFound(),
  },
}
