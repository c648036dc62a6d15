import { describe, expect, it } from 'vitest'
import { AppError, errorTable } from '../../worker/contract/answers/errors.ts'

it('errorTable gives every error type the status of the specification', () => {
  const statuses = Object.entries(errorTable).map(([code, { status }]) => [code, status])
  expect(Object.fromEntries(statuses)).toEqual({
    ValidationError: 400,
    Unauthorized: 401,
    BudgetExceeded: 402,
    Forbidden: 403,
    QuotaExceeded: 403,
    NotFound: 404,
    MethodNotAllowed: 405,
    Conflict: 409,
    LengthRequired: 411,
    PayloadTooLarge: 413,
    UnsupportedMediaType: 422,
    RateLimitExceeded: 429,
    ProcessingError: 500,
    StorageError: 500,
    InternalError: 500,
    ServiceUnavailable: 503,
    InsufficientStorage: 507,
  })
})

describe('AppError', () => {
  it('falls back to the text of its code', () => {
    const error = new AppError('Conflict')
    expect(error.message).toBe(errorTable.Conflict.text)
    expect(error.status).toBe(409)
    expect(error.headers).toEqual({})
    expect(error.details).toBeUndefined()
  })

  it('keeps its cause apart from its message', () => {
    const error = new AppError('StorageError', undefined, { cause: new Error('D1 on 10.0.0.1') })
    expect(error.message).not.toContain('D1')
    expect(error.cause).toBeInstanceOf(Error)
  })
})
