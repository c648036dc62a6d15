import { availableParallelism } from 'node:os'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const workerd = cloudflareTest(async () => ({
  remoteBindings: false,
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    bindings: {
      TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
      ENVIRONMENT: 'local',
      BASE_URL: 'http://127.0.0.1:8787',
      STORAGE_URL: 'https://files.spool.test',
      S3_ENDPOINT: 'http://127.0.0.1:8787/cdn-cgi/local/r2/s3/spool-media',
      S3_ACCESS_KEY_ID: 'local',
      S3_SECRET_ACCESS_KEY: 'localsecret',
      SPOOL_SECRET: 'a secret of at least 32 characters',
      SPOOL_ADMIN_SECRET: 'an admin secret of at least 32 characters',
      MEDIA_WORKER_URLS: 'http://media-1.spool.test,http://media-2.spool.test',
      MEDIA_WORKER_TOKEN: 'a media worker token',
      ALLOW_PRIVATE_HOSTS: '',
      MAX_UPLOAD_BYTES: '33554432',
    },
  },
}))

/** Far longer than any of them takes, for machines that others keep busy. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    // What a passing test logs is noise.
    silent: 'passed-only',
    // By default one less than the cores, which on two cores is one test at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './scripts/test/closing-line.ts'],
    projects: [
      {
        // Pure functions, and the media worker with real ffmpeg.
        test: {
          name: 'node',
          include: ['test/{contract,containers,scripts}/**/*.test.ts'],
          ...patience,
        },
      },
      {
        // The Worker inside real workerd, with real D1, R2, Queues and Durable Objects.
        plugins: [workerd],
        test: {
          name: 'workerd',
          include: ['test/worker/**/*.test.ts'],
          setupFiles: ['./test/support/worker/setup.ts'],
          ...patience,
        },
      },
      {
        // The whole service as `npm start` runs it, driven over HTTP.
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          ...patience,
          fileParallelism: false,
          // After the others: it starts whole services.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
