import { plant, type Planted } from './planted.ts'

/** Faults in who is signed in, and in what passwords, cookies and other sites may do. */
export const sessionMutations: readonly Planted[] = [
  plant('any site may send the forms of the dashboard', ['worker/app/session/guard-origin.ts', 8], {
    find: "if (!['GET', 'HEAD'].includes(c.req.method) && !isFromHere(c)) {",
    replace: "if (c.req.method === 'X' && !isFromHere(c)) {",
  }),
  plant(
    'a site that names the dashboard as its origin may do so',
    ['worker/app/session/guard-origin.ts', 8],
    { find: "  if (site !== undefined && site !== 'same-origin') return false\n" },
  ),
  plant(
    'what a browser says of the origin of a form is ignored',
    ['worker/app/session/guard-origin.ts', 8],
    {
      find: 'return ownOrigins(c).includes(origin)',
      replace: "return origin !== ''; void ownOrigins",
    },
  ),
  plant(
    'a session does not last longer when it is used',
    ['worker/app/session/know-member.ts', 8],
    {
      find: 'now - found.session.lastSeenAt >= sessionTimes.noteEveryMs',
      replace: 'now - found.session.lastSeenAt >= 1e15',
    },
  ),
  plant('a member may do what owners may', ['worker/app/session/require-member.ts', 8], {
    find: "if (reader === 'owner' && member.role !== 'owner') throw",
    replace: "if (reader === 'owner' && member.role === undefined) throw",
  }),
  plant('a member may ask the API what owners may', ['worker/app/session/require-member.ts', 8], {
    find: "if (memberOf(c).role !== 'owner') throw",
    replace: 'if (!memberOf(c).role) throw',
  }),
  plant(
    'what somebody asks who is signed in is not counted',
    ['worker/app/session/require-member.ts', 8],
    { find: '  await countAsMember(c)\n' },
  ),
  plant('members have the scopes of owners', ['worker/app/session/require-member.ts', 8], {
    find: 'scopes: scopesOf(role)',
    replace: "scopes: scopesOf('owner')",
  }),
  plant('who has signed in is sent to another host', ['worker/app/session/safe-next.ts', 8], {
    find: 'if (origin !== here || !isInside ||',
    replace: 'if (!isInside ||',
  }),
  plant('who has signed in is sent to the API', ['worker/app/session/safe-next.ts', 8], {
    find: " || pathname.startsWith('/app/api/')) return home",
    replace: ') return home',
  }),
  plant(
    'the session before stays when somebody signs in',
    ['worker/app/session/start-session.ts', 8],
    { find: '  await endPresentSession(c)\n  const now', replace: '  const now' },
  ),
  plant(
    'a cookie is good after its person has signed out',
    ['worker/app/session/start-session.ts', 8],
    {
      find: '  await endPresentSession(c)\n  clearSessionCookie(c)',
      replace: '  clearSessionCookie(c)',
    },
  ),
  plant('the browser of an owner is a strange one', ['worker/app/session/start-session.ts', 8], {
    find: '  if (person) await rememberBrowser(c, person)\n',
    replace: '  void [person, rememberBrowser]\n',
  }),
  plant('passwords are guessed without an end', ['worker/service/limits/limit-attempts.ts', 8], {
    find: 'if (counted.count > attempts) throw',
    replace: 'if (counted.count > attempts * 100) throw',
  }),
  plant('one guess too few is allowed', ['worker/service/limits/limit-attempts.ts', 8], {
    find: 'counted.count > attempts)',
    replace: 'counted.count >= attempts)',
  }),
  plant(
    'a password that was right counts as a guess',
    ['worker/app/sign-in/check-password.ts', 8],
    { find: '  await forgive(c.env, counted)\n', replace: '  void [forgive, counted]\n' },
  ),
  plant('strangers shut out the browser of an owner', ['worker/app/sign-in/check-password.ts', 8], {
    find: 'browser === undefined\n',
    replace: 'browser !== null\n',
  }),
  plant('who has guessed too often is never let in again', ['worker/store/people/attempts.ts', 8], {
    find: 'sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`',
    replace: 'sql`${attempts.count} + 1`',
  }),
  plant('every guess begins the time of waiting again', ['worker/store/people/attempts.ts', 8], {
    find: 'then excluded.expires_at else ${attempts.expiresAt} end',
    replace: 'then excluded.expires_at else excluded.expires_at end',
  }),
  plant('sessions stay when a password changes', ['worker/store/people/people.ts', 8], {
    find: "d1.prepare('delete from sessions where person_id = ?1').bind(personId),",
  }),
  plant('another password needs no present one', ['worker/app/settings/change-password.ts', 8], {
    find: 'if (email === null || !(await checkPassword(c, email, current))) {',
    replace: 'if (email === null) {',
  }),
  plant('every password is right', ['worker/service/password-hash.ts', 8], {
    find: "if (kind !== 'scrypt') {",
    replace: "if (kind === 'scrypt') return true\n  if (kind !== 'scrypt') {",
  }),
  plant('a member removes an owner', ['worker/app/settings/change-people.ts', 8], {
    find: "if (role !== 'owner' && personId !== me) throw",
    replace: 'if (role === undefined && personId !== me) throw',
  }),
  plant('somebody goes to an account of others', ['worker/app/settings/change-account.ts', 8], {
    find: "if (!found) throw new AppError('NotFound', 'You do not belong to that account.')\n  const { accountId } = found",
    replace: "const accountId = found?.accountId ?? wished ?? ''",
  }),
  plant('another account withdraws an invitation', ['worker/store/people/invitations.ts', 8], {
    find: 'where(and(eq(invitations.accountId, accountId), eq(invitations.id, id))),',
    replace: 'where(eq(invitations.id, id)),',
  }),
  plant(
    'an invitation that is sent again keeps its first link',
    ['worker/store/people/invitations.ts', 8],
    { find: 'token_hash = excluded.token_hash, ' },
  ),
]
