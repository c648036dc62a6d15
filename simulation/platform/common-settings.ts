import type { World } from '../engine/world.ts'
import { bucketUrl, serviceUrl } from './deployment.ts'

/** The site whose pages may send parts of files. */
export const pagesOrigin = 'https://pages.example.com'

/** The settings that all simulated services share. */
export const commonSettings = {
  ENVIRONMENT: 'production',
  BASE_URL: serviceUrl,
  S3_ENDPOINT: bucketUrl,
  S3_ACCESS_KEY_ID: 'simulated',
  S3_SECRET_ACCESS_KEY: 'simulated secret',
  SPOOL_SECRET: 'a secret of at least 32 characters',
  SPOOL_ADMIN_SECRET: 'an-admin-secret-of-at-least-32-characters',
  READ_RATE_LIMITS: '',
  UPLOAD_ORIGINS: pagesOrigin,
}

/** Some services run as `npm start` does it. */
export function runsLocally(world: World): boolean {
  return world.draw('runs locally') < 0.2
}
