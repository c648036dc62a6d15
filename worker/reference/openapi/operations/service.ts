import { answer } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import * as examples from '../examples/examples.ts'
import { sharedFailure } from '../failures.ts'

export const getHealth: Described = {
  summary: 'Health',
  description:
    'Whether the service and its parts answer. Needs no key. The parts are really asked, at most every 10 seconds.',
  responses: {
    200: answer('All parts answer.', 'Health', { healthy: ['Healthy', examples.healthy] }),
    500: sharedFailure('ServerError'),
    503: answer(
      'A part does not answer.',
      'Health',
      { unhealthy: ['No media worker', examples.unhealthy] },
      ['Retry-After'],
    ),
  },
}

export const getOpenapi: Described = {
  summary: 'This description',
  description:
    'The OpenAPI 3.1 description of this service, made from the schemas that check its requests.',
  responses: {
    200: {
      description: 'An OpenAPI document.',
      headers: ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin'],
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    304: {
      description: 'Your copy is up to date.',
      headers: ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin'],
    },
  },
}

export const getDocs: Described = {
  summary: 'The documentation for people',
  description:
    'The first page of the guides. They lead to each other, and this description is one of their pages: `/docs/reference`. Each guide is also Markdown (`/docs/webhooks.md`), and `/llms.txt` lists them for language models.',
  responses: {
    200: {
      description: 'A page.',
      headers: ['ETag', 'Cache-Control'],
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    304: { description: 'Your copy is up to date.', headers: ['ETag', 'Cache-Control'] },
  },
}
