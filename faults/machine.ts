import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { end } from '#db/processes.testing.ts'
import type { Parts } from './debian.ts'

const MEGABYTES = 1_536
/** The only machine in its network. */
const ADDRESS = '10.0.2.15'

export interface Needs {
  parts: Parts
  /** The folder of its parts and its output. */
  folder: string
  /** Its disk, which it mounts at /mnt. */
  disk: string
  /** Its ports, by port of the host. */
  ports: Record<number, number>
  /** A folder of the host's root that it may write: it is mounted from the disk. */
  written: string
  /** The command that runs there, among the files of the host. */
  command: string
}

const words = (text: string): string[] => text.trim().split(/\s+/)

/** The init process: mounts the host's files and the disk, runs the command and a shell for the host. */
const initOf = ({ written, command }: Needs): string => `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t devtmpfs dev /dev
exec > /dev/ttyS0 2>&1
mount -t proc proc /proc
for module in /modules/*; do insmod $module; done
mount -t 9p -o ro,trans=virtio,version=9p2000.L,cache=loose,msize=262144 host /host
mount -t devtmpfs dev /host/dev
mkdir -p /host/dev/shm
for place in dev/shm tmp run; do mount -t tmpfs none /host/$place; done
mount -t proc proc /host/proc
mount -t sysfs sys /host/sys
mount -t ext4 /dev/vda /host/mnt || poweroff -f
mkdir -p /host/mnt/written
mount --bind /host/mnt/written /host${written}
ip link set lo up
ip addr add ${ADDRESS}/24 dev eth0
ip link set eth0 up
(while true; do chroot /host /bin/sh -c '${command}'; sleep 1; done) &
while read -r line; do eval "$line"; done < /dev/ttyS1
`

function makeStart(needs: Needs): string {
  const files = join(needs.folder, 'start')
  for (const name of ['bin', 'dev', 'proc', 'host', 'modules']) mkdirSync(join(files, name), { recursive: true })
  copyFileSync(join(needs.parts.root, 'bin/busybox'), join(files, 'bin/busybox'))
  for (const file of needs.parts.modules) copyFileSync(file, join(files, 'modules', basename(file)))
  writeFileSync(join(files, 'init'), initOf(needs), { mode: 0o755 })
  execFileSync('sh', ['-c', 'find . | bin/busybox cpio -o -H newc > ../start.cpio'], { cwd: files, stdio: 'pipe' })
  rmSync(files, { recursive: true })
  return `${files}.cpio`
}

/**
 * A whole machine whose power can be cut: what was only in the memory of its kernel is lost then. It is fully emulated,
 * since hardware virtualization that is announced but does not work stops in the middle of the start.
 */
export class Machine {
  readonly #needs: Needs
  readonly #start: string
  #child: ChildProcess | undefined

  constructor(needs: Needs) {
    this.#needs = needs
    this.#start = makeStart(needs)
  }

  start(): void {
    const { env } = this.#needs.parts
    const { folder: cwd } = this.#needs
    this.#child = spawn('qemu-system-x86_64', this.#args(), { env, cwd, stdio: ['pipe', 'ignore', 'inherit'] })
    this.#child.stdin?.on('error', () => undefined) // its end is handled where it is awaited
  }

  get runs(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Sends a line to its shell, which answers nothing. */
  tell(command: string): void {
    this.#child?.stdin?.write(`${command}\n`)
  }

  /** Cuts the power: only its disk remains. */
  async pullPlug(): Promise<void> {
    if (this.#child) await end(this.#child, 'SIGKILL')
  }

  #args(): string[] {
    const { parts, disk, ports } = this.#needs
    const forwarded = Object.entries(ports).map(([host, guest]) => `,hostfwd=tcp:127.0.0.1:${host}-${ADDRESS}:${guest}`)
    return [
      // An older processor, which the emulator supports completely.
      ...words('-nodefaults -no-user-config -display none -no-reboot -accel tcg,thread=multi -cpu Nehalem -smp 2'),
      ...words(`-m ${MEGABYTES} -L ${parts.root}/usr/share/qemu -L ${parts.root}/usr/share/seabios`),
      ...words(`-kernel ${parts.kernel} -initrd ${this.#start} -append console=ttyS0`),
      ...words('-serial file:console.log -serial stdio'),
      ...words(`-drive file=${disk},format=raw,if=virtio,cache=writeback`),
      ...words('-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'),
      ...words(`-netdev user,id=net,restrict=on${forwarded.join('')} -device virtio-net-pci,netdev=net,romfile=`),
    ]
  }
}

/** A disk with the content of the folder. */
export function makeDisk({ env }: Parts, disk: string, megabytes: number, folder: string): void {
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', folder, disk, `${megabytes}m`], { env })
}

/** Replaces the folder's content by that of the disk after its machine was lost. */
export function readDisk({ env }: Parts, disk: string, folder: string): void {
  // Replays its journal as the next start of the machine would.
  const { status, stdout } = spawnSync('e2fsck', ['-f', '-y', disk], { env, encoding: 'utf8' })
  if (status === null || status > 1) throw new Error(`The disk is broken: ${stdout}`)
  rmSync(folder, { recursive: true })
  mkdirSync(folder, { mode: 0o711 })
  execFileSync('debugfs', ['-R', `rdump / ${folder}`, disk], { env, stdio: 'pipe' })
}
