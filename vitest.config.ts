import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: 4, // of two cores: some wait while others work
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { test: { name: 'house', include: ['house.test.ts'] } },
      {
        test: {
          name: 'afluente',
          include: ['{bench,contract,db,scripts,server,web}/**/*.test.{ts,tsx}'],
          globalSetup: ['db/test-cluster.ts'],
          isolate: false, // no test changes what others import, and importing took half of the processor's time
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
