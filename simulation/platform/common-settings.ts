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
