import { writeApiTypes } from '../client/write-api-types.ts'

/** `npm run lint` begins with it: the linter checks the types of the client too. */
writeApiTypes()
