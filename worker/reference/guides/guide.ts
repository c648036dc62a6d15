import { z } from 'zod'

/** A page of the guides as it is built from its Markdown. */
export const guide = z.object({
  title: z.string(),
  /** Its first paragraph, as plain text. */
  about: z.string(),
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), level: z.number(), text: z.string() })),
})
export type Guide = z.infer<typeof guide>

/**
 * The address that the Markdown in the repository names, where `npm start` serves. A running service shows its own instead,
 * so that every command can be pasted.
 */
export const writtenBaseUrl = 'http://127.0.0.1:8787'
