import { setTimeout as wait } from 'node:timers/promises'
import { NotRun } from '../fault.ts'
import type { ClusterMachine } from './machine.ts'
import type { ClusterWorld } from './world.ts'

export interface Break {
  name: string
  title: string
  /** Commits wait for no standby: what that loses is counted, and nothing is promised. */
  asynchronous?: boolean
  /** HAProxy sends a click again whose copy died: stored without an answer there, it becomes two leads. */
  repeated?: boolean
  /** Breaks it, and lasts as long as it stays broken. */
  run: (world: ClusterWorld) => Promise<unknown>
}

/** Longer than a leader's ttl. */
const PAST_TTL_MS = 35_000
const SHORT_MS = 20_000

const toPrimary =
  (milliseconds: number, breakIt: (primary: ClusterMachine) => unknown) =>
  async (world: ClusterWorld): Promise<void> => {
    await breakIt(await world.leader())
    await wait(milliseconds)
  }

async function losePrimary(world: ClusterWorld): Promise<void> {
  const primary = await world.leader()
  await primary.kill()
  await world.untilLedByAnother(primary)
}

async function fillDisk(world: ClusterWorld): Promise<void> {
  const primary = await world.leader()
  if (!primary.disk) throw new NotRun('the primary is not the machine with a small disk, or none may be mounted here')
  primary.disk.fill()
  await wait(PAST_TTL_MS)
}

async function hangStandby(world: ClusterWorld): Promise<void> {
  const standby = await world.machineIn('sync_standby')
  standby.freeze('patroni', 'postgres', 'etcd')
  await wait(PAST_TTL_MS)
}

async function hangStandbys(world: ClusterWorld): Promise<void> {
  const primary = await world.leader()
  for (const machine of world.machines) if (machine !== primary) machine.freeze('postgres')
  await wait(SHORT_MS)
}

/**
 * Commits that no standby has become visible when PostgreSQL restarts. Nobody takes over then: of standbys that it no
 * longer hears the primary has noted in etcd that none is known to have everything.
 */
async function loseUnreplicated(world: ClusterWorld): Promise<void> {
  const primary = await world.leader()
  primary.peers.sql.cut()
  await wait(3_000)
  await primary.killPostgres()
  await wait(SHORT_MS)
  await primary.kill()
  await wait(SHORT_MS)
}

async function killCopy({ copies }: ClusterWorld): Promise<void> {
  const [copy] = copies ?? []
  await copy?.kill()
  await wait(SHORT_MS / 2)
  await copy?.start()
}

/** Only clients reach it: until it steps down, it goes on alone. */
const isolate = toPrimary(PAST_TTL_MS, ({ peers, dcs }) => {
  for (const link of [peers.sql, peers.rest, ...dcs]) link.cut()
})

const cutDcs = (...ways: ('there' | 'back')[]) =>
  toPrimary(PAST_TTL_MS, ({ dcs }) => {
    for (const link of dcs) link.cut(...ways)
  })

/** The first needs the machine that is the primary at the beginning. */
export const BREAKS: Break[] = [
  { name: 'disk', title: "the primary's disk is full for 35 s", run: fillDisk },
  {
    name: 'postgres',
    title: "`kill -9` of the primary's PostgreSQL",
    run: toPrimary(0, (primary) => primary.killPostgres()),
  },
  { name: 'machine', title: 'the primary is lost: PostgreSQL, Patroni and etcd killed', run: losePrimary },
  {
    name: 'patroni',
    title: "the primary's Patroni hangs for 35 s, its PostgreSQL lives",
    run: toPrimary(PAST_TTL_MS, (primary) => primary.freeze('patroni')),
  },
  { name: 'dcs', title: 'primary and etcd are parted for 35 s', run: cutDcs() },
  { name: 'dcs-there', title: 'etcd hears nothing of the primary for 35 s', run: cutDcs('there') },
  { name: 'dcs-back', title: 'the primary hears nothing of etcd for 35 s', run: cutDcs('back') },
  {
    name: 'standbys',
    title: 'primary and standbys are parted for 20 s',
    run: toPrimary(SHORT_MS, ({ peers }) => peers.sql.cut()),
  },
  {
    name: 'standbys-there',
    title: 'the primary hears nothing of its standbys for 20 s',
    run: toPrimary(SHORT_MS, ({ peers }) => peers.sql.cut('there')),
  },
  { name: 'isolated', title: 'the primary is parted from all but clients for 35 s', run: isolate },
  { name: 'standby', title: 'the synchronous standby hangs for 35 s', run: hangStandby },
  { name: 'both', title: "both standbys' PostgreSQL hangs for 20 s", run: hangStandbys },
  {
    name: 'unreplicated',
    title: 'the primary, parted from its standbys for 43 s, restarts after `kill -9`, then is lost for 20 s',
    run: loseUnreplicated,
  },
  { name: 'copy', title: 'one copy of Afluente is killed, and back after 10 s', repeated: true, run: killCopy },
  { name: 'async-machine', title: 'asynchronous: the primary is lost', asynchronous: true, run: losePrimary },
  {
    name: 'async-isolated',
    title: 'asynchronous: the primary is parted from all but clients for 35 s',
    asynchronous: true,
    run: isolate,
  },
]
