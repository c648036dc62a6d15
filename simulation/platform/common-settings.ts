import type { World } from '../engine/world.ts'
import { bucketUrl, serviceUrl } from './deployment.ts'

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
}

/** Some services run as `npm start` does it. */
export function runsLocally(world: World): boolean {
  return world.draw('runs locally') < 0.2
}
