import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findPhp } from './scripts/php.ts'

/** What mostly waits, for servers to die and come back, comes first, so that nothing waits for it alone at the end. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/faults/')
    return (await super.sort(files)).toSorted((a, b) => Number(waits(b)) - Number(waits(a)))
  }
}

// Whole matrices and long histories are ten times as many cases.
const testTimeout = process.env.TEST_ALL ? 1_200_000 : 120_000

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    maxWorkers: 4, // of two cores: some wait while others work
    testTimeout,
    hookTimeout: 180_000, // dropping a database waits for a checkpoint of all the others
    expect: { poll: { timeout: 20_000 } }, // what is done in the background waits for a busy machine too
    projects: [
      { test: { name: 'house', include: ['house.test.ts'] } },
      {
        test: {
          name: 'afluente',
          include: ['{bench,contract,db,faults,scripts,server,web}/**/*.test.{ts,tsx}'],
          exclude: process.env.TEST_ALL ? [] : ['**/*.all.test.ts'],
          globalSetup: ['db/test-cluster.ts'],
          setupFiles: ['vitest.setup.ts'],
          provide: { php: findPhp() ?? null },
          isolate: false, // no test changes what others import, and importing took half of the processor's time
          testTimeout,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
