import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHostileWorkspace, refusalOf } from './__fixtures__/open-hostile-workspace.ts'

/** Attempts to escape. OUT stands for the outside directory, IN for the root, and BASE for the root's last segment. */
const ESCAPES: readonly (readonly [string, string])[] = [
  ['..', 'outside'],
  ['../', 'outside'],
  ['./..', 'outside'],
  ['./../', 'outside'],
  ['.//..//', 'outside'],
  ['src/../..', 'outside'],
  ['src/deep/../../..', 'outside'],
  ['src/./deep/./../../../', 'outside'],
  ['../../../../../../../../etc/passwd', 'outside'],
  ['../../../../../../../../../../../../../../../etc/passwd', 'outside'],
  ['src/../../etc/passwd', 'outside'],
  ['../BASE-sibling/file.txt', 'outside'],
  ['../BASEx', 'outside'],
  ['IN-sibling/file.txt', 'outside'],
  ['INx/file.txt', 'outside'],
  ['IN/../secret', 'outside'],
  ['IN/src/../../x', 'outside'],
  ['OUT/secret.txt', 'outside'],
  ['OUT//secret.txt', 'outside'],
  ['//OUT/secret.txt', 'outside'],
  ['///etc/passwd', 'outside'],
  ['//etc/passwd', 'outside'],
  ['/', 'outside'],
  ['/etc/passwd', 'outside'],
  ['/etc/../etc/passwd', 'outside'],
  ['/proc/self/environ', 'outside'],
  ['/proc/self/cwd', 'outside'],
  ['/proc/self/root/etc/passwd', 'outside'],
  ['/dev/zero', 'outside'],
  ['/dev/stdin', 'outside'],
  ['/dev/fd/0', 'outside'],
  ['/tmp', 'outside'],
  ['/root/.ssh/id_rsa', 'outside'],
  ['link-file', 'outside'],
  ['./link-file', 'outside'],
  ['src/../link-file', 'outside'],
  ['link-file/', 'outside'],
  ['link-dir', 'outside'],
  ['link-dir/', 'outside'],
  ['link-dir/.', 'outside'],
  ['link-dir/secret.txt', 'outside'],
  ['link-dir/deep/secret.txt', 'outside'],
  ['link-dir/not-there', 'outside'],
  ['link-dir/not/there/either', 'outside'],
  ['link-dir//secret.txt', 'outside'],
  ['link-dir/secret.txt/x', 'outside'],
  ['link-file/x', 'outside'],
  ['OUT/secret.txt/x', 'outside'],
  ['/etc/passwd/x', 'outside'],
  ['link-dir/LONG', 'outside'],
  ['dangling-out/x', 'outside'],
  ['IN/link-dir/secret.txt', 'outside'],
  ['link-root/etc/passwd', 'outside'],
  ['link-root/OUT/secret.txt', 'outside'],
  ['link-parent', 'outside'],
  ['link-parent/x', 'outside'],
  ['link-relative', 'outside'],
  ['chain-1', 'outside'],
  ['chain-1/secret.txt', 'outside'],
  ['chain-2/secret.txt', 'outside'],
  ['src/up-link', 'outside'],
  ['src/up-link/etc', 'outside'],
  ['good-dir/up-link', 'outside'],
  ['good-dir/../link-file', 'outside'],
  ['loop-a', 'outside'],
  ['loop-a/x', 'outside'],
  ['self', 'outside'],
  ['self/self/self', 'outside'],
  ['dangling-out', 'outside'],
  ['dangling-in', 'outside'],
  ['proc-link', 'outside'],
  ['dev-link', 'outside'],
  ['fd-link/0', 'outside'],
  ['', 'invalid'],
  ['\0', 'invalid'],
  ['file.txt\0', 'invalid'],
  ['file.txt\0.png', 'invalid'],
  ['../\0/etc', 'invalid'],
  ['~', 'invalid'],
  ['~/.ssh/id_rsa', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
  ['http://127.0.0.1/', 'invalid'],
  ['C:\\Windows\\win.ini', 'invalid'],
  ['c:/Windows/win.ini', 'invalid'],
  ['\\\\server\\share\\x', 'invalid'],
  ['\\\\?\\C:\\x', 'invalid'],
  ['\\\\.\\PhysicalDrive0', 'invalid'],
  ['\uD800', 'invalid'],
  ['x'.repeat(300), 'invalid'],
  ['x/'.repeat(3_000), 'invalid'],
  ['../'.repeat(2_000), 'invalid'],
  ['file.txt/..%2f', 'invalid'],
  ['file.txt/x', 'invalid'],
  ['%2e%2e/secret', 'missing'],
  ['..%2f..%2fetc%2fpasswd', 'missing'],
  ['%2e%2e%2fetc', 'missing'],
  ['..%c0%af..%c0%afetc', 'missing'],
  ['..\\..\\etc\\passwd', 'missing'],
  ['.../...//', 'missing'],
  ['．．/etc/passwd', 'missing'],
  ['․․/etc/passwd', 'missing'],
  ['..∕..∕etc', 'missing'],
  ['..\u200b/etc', 'missing'],
  ['.. /etc/passwd', 'missing'],
  ['..;/etc/passwd', 'missing'],
  ['not-there', 'missing'],
  ['.env', 'sensitive'],
  ['./.env', 'sensitive'],
  ['src/../.env', 'sensitive'],
  ['.ENV', 'sensitive'],
  ['.env.production', 'sensitive'],
  ['src/.env.local', 'sensitive'],
  ['.e\u200bnv', 'sensitive'],
  ['．env', 'sensitive'],
  ['.env.', 'sensitive'],
  ['.env::$DATA', 'sensitive'],
  ['.git/config', 'sensitive'],
  ['.Git/Config', 'sensitive'],
  ['src/.git/config', 'sensitive'],
  ['.ssh/known_hosts', 'sensitive'],
  ['home/.ssh', 'sensitive'],
  ['server.pem', 'sensitive'],
  ['keys/id_rsa', 'sensitive'],
  ['keys/id_ed25519.bak', 'sensitive'],
]

describe('a workspace', () => {
  it('a workspace refuses every attempt to escape with the right reason and reveals no outside path', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, outside, workspace } = scene
    expect(ESCAPES.length).toBeGreaterThan(100)
    for (const [template, reason] of ESCAPES) {
      const path = template
        .replace('OUT', outside.path)
        .replace('LONG', 'x'.repeat(300))
        .replace('IN', inside.path)
        .replace('BASE', basename(inside.path))
      const refusal = await refusalOf(workspace.resolve(path))
      expect({ path, reason: refusal.reason }).toEqual({ path, reason })
      if (!template.includes('OUT')) expect(refusal.message).not.toContain(basename(outside.path))
      expect((await refusalOf(workspace.open(path))).reason).toBe(reason)
      // A write is refused like a read, except that a free name may be written.
      const forWriting = (await refusalOf(workspace.resolve(path, { mustExist: false }))).reason
      expect({ path, reason: forWriting }).toEqual({ path, reason: reason === 'missing' ? 'none' : reason })
    }
  })

  it('a workspace gives the same answer for existing and missing paths outside', async () => {
    await using scene = await openHostileWorkspace()
    const { outside, workspace } = scene
    for (const [there, gone] of [
      [join(outside.path, 'secret.txt'), join(outside.path, 'nothing.txt')],
      ['link-dir/secret.txt', 'link-dir/nothing.txt'],
      ['link-file', 'dangling-out'],
      ['link-dir/secret.txt/x', 'link-dir/nothing.txt/x'],
      [join(outside.path, 'secret.txt/x'), join(outside.path, 'nothing.txt/x')],
    ] as const) {
      const [a, b] = [await refusalOf(workspace.resolve(there)), await refusalOf(workspace.resolve(gone))]
      expect(a.message.replace(there, '')).toBe(b.message.replace(gone, ''))
    }
  })
})
