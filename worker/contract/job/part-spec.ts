import { z } from 'zod'

/** What is to be rendered of a film, and how: made and read by media workers, and only passed on by the service. */
export const partSpec = z.looseObject({
  /** The files that the part reads, by their names in the folder of the job. */
  files: z.array(z.string()),
})
export type PartSpec = z.infer<typeof partSpec>
