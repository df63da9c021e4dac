// Where Node.js can (from 22.8 on), compiled code is cached on disk: the next start of a command compiles less.
import module from 'node:module'

interface CachingModule {
  /** Does nothing where the cache cannot be written. */
  enableCompileCache?(): unknown
}

/** For all that is imported later. NODE_DISABLE_COMPILE_CACHE=1 turns it off, NODE_COMPILE_CACHE chooses the directory. */
export function enableCompileCache(node: CachingModule = module as CachingModule): void {
  node.enableCompileCache?.()
}
