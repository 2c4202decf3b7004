import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { messageOf } from '#db/operator-error.ts'
import { NotRun } from './fault.ts'
import { captured, run, unpackPackages, updateLists } from './packages.ts'

const CACHE = join(import.meta.dirname, '../node_modules/.cache/machine')
const KERNEL = 'linux-image-amd64' // the cloud kernel cannot mount folders of its host
const PACKAGES = ['qemu-system-x86', 'busybox-static', 'e2fsprogs', KERNEL]
/** For a disk, a network card and a folder of the host; ext4 loads the checksum only when it mounts. */
const MODULES = ['virtio_pci', 'virtio_blk', 'virtio_net', 'crc32c_generic', 'ext4', '9pnet_virtio', '9p']

/** The parts of a machine. */
export interface Parts {
  /** Folder of the unpacked Debian packages. */
  root: string
  kernel: string
  /** Each after those it depends on. */
  modules: string[]
  /** To run programs of the packages, which are not installed. */
  env: Record<string, string>
}

/** The kernel is a package that the one above only names. */
const kernelPackages = (): string[] => captured(run('apt-cache', ['depends', KERNEL]), /Depends: (linux-image-\S+)/g)

function unpack(): void {
  const making = `${CACHE}.making`
  rmSync(making, { recursive: true, force: true })
  const [root, modules] = [join(making, 'root'), join(making, 'modules')]
  mkdirSync(modules, { recursive: true })
  updateLists()
  unpackPackages([...PACKAGES, ...kernelPackages()], root)
  for (const [index, file] of modulesIn(root).entries())
    copyFileSync(file, join(modules, `${String(index).padStart(2, '0')}-${basename(file)}`))
  rmSync(join(root, 'lib/modules'), { recursive: true })
  renameSync(making, CACHE)
}

/** A line of modules.dep names a module and all its dependencies, the deepest last. */
function modulesIn(root: string): string[] {
  const [version = ''] = readdirSync(join(root, 'lib/modules'))
  run(join(root, 'bin/busybox'), ['depmod', '-b', root, version])
  const folder = join(root, 'lib/modules', version)
  const lines = readFileSync(join(folder, 'modules.dep'), 'utf8').split('\n')
  const needed = MODULES.flatMap((name) => {
    const line = lines.find((each) => each.split(':')[0]?.endsWith(`/${name}.ko`))
    if (!line) throw new Error(`the kernel has no ${name}`)
    return line.replace(':', '').trim().split(' ').reverse()
  })
  return [...new Set(needed)].map((file) => join(folder, file))
}

/** QEMU, a kernel and a shell from Debian's packages, fetched once. */
export function ensureParts(): Parts {
  try {
    if (process.arch !== 'x64') throw new Error(`no ${process.arch} is emulated`)
    if (!existsSync(CACHE)) unpack()
  } catch (error) {
    throw new NotRun(`QEMU and a kernel cannot be had (${messageOf(error)})`)
  }
  const root = join(CACHE, 'root')
  const kernel = readdirSync(join(root, 'boot')).find((name) => name.startsWith('vmlinuz-')) ?? ''
  const programs = ['usr/bin', 'bin', 'usr/sbin', 'sbin'].map((folder) => join(root, folder))
  const libraries = ['usr/lib', 'lib'].map((folder) => join(root, folder, 'x86_64-linux-gnu'))
  return {
    root,
    kernel: join(root, 'boot', kernel),
    modules: readdirSync(join(CACHE, 'modules'))
      .sort()
      .map((name) => join(CACHE, 'modules', name)),
    env: { PATH: [...programs, process.env.PATH].join(delimiter), LD_LIBRARY_PATH: libraries.join(delimiter) },
  }
}
