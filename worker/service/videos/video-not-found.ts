import { AppError } from '../../contract/answers/errors.ts'

/** The same whether there is no such video or it is another account's. */
export function videoNotFound(): AppError {
  return new AppError('NotFound', 'Video not found.')
}
