import { format } from 'oxfmt'
import style from '../../oxfmt.config.ts'

/** The text of a generated file as `npm run format` wants it; `collapse` joins objects that fit into one line. */
export async function formatText(
  file: string,
  text: string,
  objectWrap: 'preserve' | 'collapse' = 'preserve',
): Promise<string> {
  const { ignorePatterns: _, ...options } = style
  const { code, errors } = await format(file, text, { ...options, objectWrap })
  const [fault] = errors
  if (fault) throw new Error(`${file} cannot be formatted: ${fault.message}`)
  return code
}
