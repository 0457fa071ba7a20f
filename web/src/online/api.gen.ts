/** The API in types, made from /api/openapi.json by scripts/api.mjs: not to be edited. */

export interface ActBody {
  days?: number | null;
  do: 'mute' | 'unmute' | 'rename' | 'ban' | 'unban' | 'ban network' | 'unban network' | 'sign out';
  report?: number | null;
  why: string;
}

export type Actor = number | 'chance';

export interface ActsReply {
  acts: DeskAct[];
}

export interface AnswerBody {
  for: Wish;
  yes: boolean;
}

export interface Asking {
  agreed: number[];
  for: Wish;
  of: number[];
  seat: number;
  to?: number;
  until?: number;
}

export type Audience = 'all' | Viewer[];

export interface BeatEvent {
  next: number;
  now: number;
}

export interface BeginReply {
  options: { [name: string]: unknown };
  ticket: string;
}

export interface BlocksReply {
  blocked: Friend[];
}

export interface Bond {
  is: 'none' | 'friend' | 'asked' | 'asks' | 'blocked';
  seat: number;
}

export interface BondsReply {
  bonds: Bond[];
}

export interface BotBody {
  player: Player;
  seat: number;
}

export interface BrowserBody {
  language: 'en' | 'fr' | 'it';
  old?: string | null;
  subscription: { [name: string]: unknown };
  zone: string;
}

export interface BrowserReply {
  born: number;
  browser?: string;
  here: boolean;
  id: string;
  language: string;
  system?: string;
}

export interface Clock {
  left: number[];
  seat?: number;
  until?: number;
}

export interface CloseBody {
  note?: string | null;
}

export interface CodeBody {
  code: string;
  replace?: boolean | null;
}

export interface CodeReply {
  code: string;
  until: number;
}

export interface CodesReply {
  codes: string[];
}

export interface ComeBody {
  nonce: string;
}

export interface Company {
  company: string;
  game: string;
  name: string;
  pace: string;
  people: Friend[];
  seats: number;
}

export interface CompanyBody {
  friends?: string[] | null;
  game?: string | null;
  name: string;
  pace?: PlayPaceName | null;
  seats?: number | null;
  table?: string | null;
}

export interface CompanyTableReply {
  invited: number;
  table: string;
}

export interface DeskAct {
  at: number;
  by?: string;
  do: 'mute' | 'unmute' | 'rename' | 'ban' | 'unban' | 'ban network' | 'unban network' | 'sign out' | 'operator' | 'no operator';
  gone?: boolean;
  number: number;
  report?: number;
  until?: number;
  whom?: string;
  why: string;
}

export interface DeskClosing {
  at: number;
  by?: string;
  note?: string;
}

export interface DeskMark {
  since: number;
  until?: number;
  why: string;
}

export interface DeskPerson {
  banned?: DeskMark;
  born: number;
  member?: number;
  muted?: DeskMark;
  name: string;
  operator?: boolean;
  person: string;
}

export interface DeskReport {
  around?: Line[];
  at: number;
  by?: DeskPerson;
  closed?: DeskClosing;
  line?: number;
  name?: string;
  number: number;
  phrase?: string;
  said?: string;
  table?: string;
  text?: string;
  whom?: DeskPerson;
  why: 'name' | 'words' | 'cheating' | 'other';
}

export interface DeskSheet {
  acts: DeskAct[];
  banned?: DeskMark;
  born: number;
  member?: number;
  muted?: DeskMark;
  name: string;
  near: number;
  networks: number;
  operator?: boolean;
  person: string;
  programs: number;
  reports: DeskReport[];
  tables: number;
}

export interface DoneReply {
  number: number;
}

export interface DoorbellBody {
  days?: boolean | null;
  evening?: boolean | null;
  from?: number | null;
  invites?: boolean | null;
  live?: boolean | null;
  to?: number | null;
  zone?: string | null;
}

export interface DoorbellReply {
  browsers: BrowserReply[];
  from: number;
  invites: boolean;
  key?: string;
  offered: boolean;
  paces: ('live' | 'evening' | 'days')[];
  to: number;
  zone: string;
}

export interface EntriesReply {
  entries: Told[];
}

export interface Entry {
  at: number;
  bot?: boolean;
  commitment?: string;
  do: 'open' | 'sit' | 'stand' | 'kick' | 'bot' | 'start' | 'move' | 'chance' | 'ask' | 'agree' | 'refuse' | 'undo' | 'pause' | 'resume' | 'resign' | 'leave' | 'timeout' | 'return' | 'take' | 'end' | 'outage';
  draw?: number;
  for?: Wish;
  from?: number;
  move?: unknown;
  person?: string;
  player?: string;
  ranks?: number[];
  seat?: number;
  secret?: string;
  settings?: Settings;
  to?: number;
  totals?: number[];
  why?: 'over' | 'resigned' | 'abandoned';
}

export interface Event {
  args: { [name: string]: unknown };
  key: string;
  to: Audience;
}

export interface Friend {
  friend: string;
  guest?: boolean;
  here?: boolean;
  name: string;
  program?: boolean;
  since: number;
}

export interface FriendLink {
  code: string;
  until: number;
}

export interface FriendReply {
  guest?: boolean;
  name: string;
  state: 'asked' | 'friends';
}

export interface FriendsNews {
  by?: Who;
  table?: string;
  why: 'asked' | 'friends' | 'invited';
}

export interface FriendsReply {
  asked: Friend[];
  asks: Friend[];
  companies: Company[];
  friends: Friend[];
  link?: FriendLink;
  shows?: boolean;
}

export interface Game {
  bots: Player[];
  levels: Level[];
  name: string;
  options: Option[];
  parts: string[];
  seats: number[];
  version: number;
}

export interface GamesReply {
  chat: 'on' | 'phrases' | 'off';
  games: Game[];
  own: PaceLimits;
  paces: Pace[];
  phrases: Saying[];
  version: string;
}

export interface Gone {
  table: string;
}

export interface Here {
  seats: number[];
  table: string;
  watchers: number;
}

export interface House {
  lookers: number;
  open: number;
  people: number;
  playing: number;
  watch?: Summary;
}

export interface Invitation {
  at: number;
  by: Who;
  free: number;
  game: string;
  invite?: string;
  seats: number;
  table: string;
}

export interface InvitationsReply {
  invitations: Invitation[];
}

export interface InviteBody {
  friends: string[];
}

export interface InvitedReply {
  invited: number;
}

export interface KeptReply {
  codes?: string[];
  me: MeReply;
  passkey: PasskeyReply;
}

export interface LabelBody {
  label: string;
}

export interface Level {
  about: Words;
  name: Words;
  player: string;
}

export interface Line {
  at: number;
  by?: Who;
  folded?: boolean;
  number: number;
  phrase?: Saying;
  seat?: number;
  text?: string;
}

export interface LinesReply {
  lines: Line[];
}

export interface LinkBody {
  agree?: boolean | null;
  code: string;
}

export interface Look {
  clock?: Clock;
  commitment: string;
  last: number;
  number: number;
  people: People;
  settings: Settings;
  standing?: Standing;
  toAct: Actor[];
  turn: number;
  view?: unknown;
}

export interface MeReply {
  banned?: DeskMark;
  chimes?: boolean;
  member?: number;
  muted?: DeskMark;
  name?: string;
  operator?: boolean;
  passkeys?: 'offered' | 'address' | 'host' | 'elsewhere' | 'plain';
  program?: boolean;
  signedIn: boolean;
  site?: string;
  until?: number;
}

export interface MineAccount {
  codes: number;
  member?: number;
  name: string;
}

export interface MineAct {
  at: number;
  do: 'mute' | 'unmute' | 'rename' | 'ban' | 'unban' | 'ban network' | 'unban network' | 'sign out' | 'operator' | 'no operator';
  until?: number;
  why: string;
}

export interface MineGame {
  export?: string;
  said: Line[];
  table: string;
}

export interface MinePeace {
  acts: MineAct[];
  networks: number;
  reports: MineReport[];
}

export interface MineReply {
  blocked: Friend[];
  doorbell: DoorbellReply;
  friends: FriendsReply;
  games: MineGame[];
  invited: Invitation[];
  made: number;
  me: MineAccount;
  passkeys: PasskeyReply[];
  peace: MinePeace;
  playing: string[];
  programs: Program[];
  ratings: PoolRating[];
  results: ProfileResult[];
  sessions: SessionReply[];
  shown: Shown;
  whole: boolean;
}

export interface MineReport {
  at: number;
  line?: number;
  table?: string;
  text?: string;
  why: 'name' | 'words' | 'cheating' | 'other';
}

export interface MovesReply {
  after: number;
  facts?: ({ [name: string]: unknown })[];
  moves: unknown[];
  toAct: Actor[];
}

export interface NameBody {
  name: string;
}

export interface Named {
  table: string;
  who: (Who | null)[];
}

export interface Next {
  next: string;
  table: string;
}

export interface Option {
  choices?: unknown;
  default: unknown;
  kind: 'flag' | 'words' | 'number' | 'box';
  name: string;
}

export interface Pace {
  back: number;
  bank: number;
  most: number;
  name: PaceName;
  night: boolean;
  patience: number;
  step: number;
}

export interface PaceLimits {
  leastBank: number;
  mostBank: number;
  mostStep: number;
  near: number;
  rest: number;
}

export type PaceName = 'live' | 'evening' | 'days' | 'own';

export interface PasskeyBody {
  credential: { [name: string]: unknown };
  label?: string | null;
  ticket: string;
}

export interface PasskeyReply {
  born: number;
  label: string;
  passkey: string;
  synced: boolean;
  used?: number;
}

export interface PasskeysReply {
  codes: number;
  made?: number;
  passkeys: PasskeyReply[];
}

export interface PastRating {
  at: number;
  mean: number;
  number: number;
  spread: number;
  table: string;
}

export interface People {
  asks: Asking[];
  hints: boolean;
  host?: number;
  phase: Phase;
  seats: Seated[];
}

export interface PeopleReply {
  more: boolean;
  people: DeskPerson[];
}

export type Phase = 'lobby' | 'play' | 'paused' | 'over';

export interface Place {
  rank: number;
  total: number;
}

export interface PlayBody {
  after: number;
  moves: unknown[];
}

export type PlayPaceName = 'live' | 'evening' | 'days';

export type Player = 'random' | 'easy' | 'greedy' | 'ahead' | 'level:1' | 'level:2' | 'level:3' | 'level:4' | 'level:5' | 'level:6' | 'level:7' | 'level:8' | 'level:9' | 'level:10';

export interface PoolRating {
  game: string;
  games: number;
  least: number;
  mean: number;
  most: number;
  pace: string;
  past: PastRating[];
  spread: number;
  version: number;
}

export interface Present {
  seats: number[];
  watchers: number;
}

export interface Problem {
  args: { [name: string]: unknown };
  key: string;
  move?: number;
  rule: string;
  status: number;
  title: string;
}

export interface ProfileGame {
  alone?: boolean;
  at: number;
  game: string;
  gone?: boolean;
  pace: string;
  rank?: number;
  rated?: boolean;
  seats: number;
  shared?: boolean;
  table: string;
  who?: (Who | null)[];
}

export interface ProfileGamesReply {
  games: ProfileGame[];
  more?: number;
}

export interface ProfilePast {
  day: number;
  least: number;
  mean: number;
  most: number;
  spread: number;
}

export interface ProfileRating {
  game: string;
  games: number;
  least: number;
  levels: number[];
  mean: number;
  most: number;
  pace: string;
  past: ProfilePast[];
  spread: number;
  version: number;
}

export interface ProfileReply {
  bond?: 'none' | 'friend' | 'asked' | 'asks' | 'blocked';
  games?: boolean;
  name: string;
  ratings?: ProfileRating[];
  results?: ProfileResult[];
  shown?: Shown;
  since?: string;
  you?: boolean;
}

export interface ProfileResult {
  alone?: boolean;
  closed?: boolean;
  game: string;
  gone: number;
  none: number;
  pace: string;
  played: number;
  ranks: number[];
  seats: number;
  shared: number;
  won: number;
}

export interface Program {
  name: string;
  program: string;
  state: 'good' | 'soon' | 'ended';
  token?: string;
  until?: number;
  used?: number;
}

export interface ProgramsReply {
  programs: Program[];
}

export interface RatedGame {
  number?: number;
  seats?: RatedGot[];
  why?: 'early' | 'nobody';
}

export interface RatedGot {
  after: number;
  before: number;
  bot?: boolean;
  least: number;
  most: number;
  rank: number;
  repeat?: boolean;
  spread: number;
}

export interface RatingsReply {
  member: boolean;
  pools: PoolRating[];
}

export interface Record {
  from: number;
  game: string;
  last: number;
  options: unknown;
  seat: Viewer;
  seats: number;
  then: Recorded[];
  version: number;
  view: unknown;
}

export interface Recorded {
  move: unknown;
  number: number;
  seat: Actor;
}

export interface RecoverBody {
  code: string;
  name: string;
  replace?: boolean | null;
}

export interface ReportBody {
  line?: number | null;
  name?: string | null;
  seat?: number | null;
  table?: string | null;
  text?: string | null;
  why: 'name' | 'words' | 'cheating' | 'other';
}

export interface ReportsReply {
  reports: DeskReport[];
}

export interface Said {
  at: number;
  by?: Who;
  folded?: boolean;
  number: number;
  phrase?: Saying;
  seat?: number;
  table: string;
  text?: string;
}

export interface SayBody {
  phrase?: Saying;
  text?: string;
}

export type Saying = 'hello' | 'luck' | 'good-move' | 'ouch' | 'thinking' | 'sorry' | 'back' | 'your-turn' | 'thanks' | 'well-played' | 'again' | 'bye';

export interface Score {
  parts: { [name: string]: number | null };
  rank: number | null;
  total: number | null;
}

export interface SeatBody {
  seat: number;
}

export interface Seated {
  held: 'empty' | 'person' | 'bot' | 'away' | 'resigned';
  person?: string;
  player?: string;
  undos: number;
}

export interface SessionReply {
  born: number;
  browser?: string;
  here: boolean;
  session: string;
  system?: string;
  until: number;
  used: number;
}

export interface SessionsReply {
  sessions: SessionReply[];
}

export interface Settings {
  bank?: number;
  box?: string;
  following?: string;
  game: string;
  hints: boolean;
  law?: number;
  night?: number[];
  options: unknown;
  pace: PaceName;
  rated?: boolean;
  seats: number;
  shifts?: number[];
  side?: number;
  standIn: string;
  step?: number;
  takeOver: boolean;
  undo: Undo;
  version: number;
  visible: Visible;
  watchers: boolean;
}

export interface SheetLine {
  args: { [name: string]: unknown };
  key: string;
  part: string;
  points: (number | null)[];
}

export interface SheetReply {
  lines: SheetLine[];
  standing: Standing;
}

export interface Shown {
  closed: boolean;
  games: boolean;
  rating: boolean;
  results: boolean;
}

export interface ShownBody {
  closed?: boolean | null;
  games?: boolean | null;
  rating?: boolean | null;
  results?: boolean | null;
}

export interface SideGame {
  table: string;
  totals?: number[];
}

export interface Sides {
  games: SideGame[];
  result?: Place[];
}

export interface SidesNews {
  sides: Sides;
  table: string;
}

export interface Sight {
  chat: number;
  invite?: string;
  kept?: number;
  look: Look;
  next?: string;
  present: Present;
  rated?: RatedGame;
  sides?: Sides;
  table: string;
  who: (Who | null)[];
  you?: number;
}

export interface SightEvent {
  again: boolean;
  chat: number;
  invite?: string;
  kept?: number;
  look: Look;
  next?: string;
  present: Present;
  rated?: RatedGame;
  sides?: Sides;
  table: string;
  who: (Who | null)[];
  you?: number;
}

export interface SignInBody {
  credential: { [name: string]: unknown };
  replace?: boolean | null;
  ticket: string;
}

export interface SitBody {
  invite?: string | null;
  nonce: string;
  seat?: number | null;
}

export interface Standing {
  over: boolean;
  seats: Score[];
  ties?: Tie[];
}

export interface StartBody {
  fill?: Player | null;
}

export interface StreamBeat {
  data: BeatEvent;
  event: 'beat';
}

export interface StreamChat {
  data: Said;
  event: 'chat';
  id: string;
}

export interface StreamEntry {
  data: Told;
  event: 'entry';
  id: string;
}

export type StreamEvent = StreamLook | StreamEntry | StreamChat | StreamPresent | StreamWho | StreamNext | StreamSides | StreamGone | StreamMine | StreamFriends | StreamBeat;

export interface StreamFriends {
  data: FriendsNews;
  event: 'friends';
}

export interface StreamGone {
  data: Gone;
  event: 'gone';
  id: string;
}

export interface StreamLook {
  data: SightEvent;
  event: 'look';
  id: string;
}

export interface StreamMine {
  data: Summary;
  event: 'mine';
}

export interface StreamNext {
  data: Next;
  event: 'next';
}

export interface StreamPresent {
  data: Here;
  event: 'present';
}

export interface StreamSides {
  data: SidesNews;
  event: 'sides';
}

export interface StreamWho {
  data: Named;
  event: 'who';
}

export interface Summary {
  changed: number;
  number: number;
  phase: Phase;
  seats: Seated[];
  serial?: number;
  settings: Settings;
  sides?: Sides;
  table: string;
  toAct: number[];
  turn: number;
  until?: number;
  who: (Who | null)[];
  you?: number;
  yourTurn: boolean;
}

export interface TableBody {
  bank?: number | null;
  game: string;
  hints?: boolean | null;
  night?: number[] | null;
  options?: { [name: string]: unknown } | null;
  pace?: PaceName | null;
  seats: number;
  sides?: boolean | null;
  standIn?: Player | null;
  step?: number | null;
  takeOver?: boolean | null;
  undo?: Undo | null;
  version?: number | null;
  visible?: Visible | null;
  watchers?: boolean | null;
  zone?: string | null;
}

export interface TableReply {
  table: string;
}

export interface TablesReply {
  tables: Summary[];
}

export interface Tie {
  args: { [name: string]: unknown };
  key: string;
  other: number;
  seat: number;
}

export interface Told {
  called?: Who;
  clock?: Clock;
  entry: Entry;
  events: Event[];
  look?: Look;
  number: number;
  of?: Seated;
  people?: People;
  table: string;
  toAct: Actor[];
  turn: number;
  who?: (Who | null)[];
}

export interface TriedReply {
  outcome: 'sent' | 'gone' | 'refused' | 'silent';
}

export type Undo = 'none' | 'consent';

export interface UndoBody {
  to?: number | null;
}

export type Viewer = number | 'watcher';

export type Visible = 'open' | 'link' | 'private';

export interface Waiting {
  bots?: number;
  by?: number;
  came?: number;
  commitment?: string;
  game?: string;
  now?: number;
  pace?: string;
  people?: number;
  rated?: boolean;
  seats?: number;
  since?: number;
  state: 'none' | 'waiting' | 'ready' | 'out' | 'table';
  table?: string;
  usual?: number;
  you?: boolean;
}

export interface WantBody {
  bots?: number | null;
  game: string;
  pace?: PlayPaceName | null;
  rated?: boolean | null;
  seats: number;
}

export interface Who {
  guest?: boolean;
  name: string;
  program?: boolean;
}

export interface WhomBody {
  friend?: string | null;
  line?: number | null;
  name?: string | null;
  seat?: number | null;
  table?: string | null;
}

export type Wish = 'undo' | 'pause' | 'abandon';

export interface Words {
  args: { [name: string]: unknown };
  key: string;
}

export interface YesBody {
  yes: boolean;
}

/** What the stream tells, by name. */
export interface Events {
  /** A sign of life, every 15 seconds, and every 4 while it is my turn at a table that I follow. `next` says in how many milliseconds the next one comes: nothing five seconds after that, and the line is dead. */
  beat: BeatEvent;
  /** One line of chat. */
  chat: Said;
  /** One entry, as I may hear it; `people` and `who` where somebody sits otherwise than before, `look` where I must begin anew. */
  entry: Told;
  /** With `mine=true`: something has changed in my lists of friends and invitations, and why. */
  friends: FriendsNews;
  /** There is no such table, or none that I may see any more. */
  gone: Gone;
  /** The table as `look` shows it. Begin with this; where `again` is true start over: what was known of the table leads no further. */
  look: SightEvent;
  /** With `mine=true`: what my list says of one of my tables, at the beginning and whenever that changes. */
  mine: Summary;
  /** There is a rematch: at table `next`. */
  next: Next;
  /** Who is connected. */
  present: Here;
  /** Another game of both sides was set, or one is over: how they stand, as `look` shows it. */
  sides: SidesNews;
  /** Somebody has another name: everyone's, seat by seat. */
  who: Named;
}

/** Every call: what is sent, and what is answered. */
export interface Calls {
  /** Whom I block. */
  'GET /api/blocks': [undefined, BlocksReply];
  /** Block somebody: neither of us sees or meets the other at open tables or by Play now. */
  'POST /api/blocks': [WhomBody, undefined];
  /** Unblock somebody, as `blocks` names them. */
  'DELETE /api/blocks/{friend}': [undefined, undefined];
  /** Keep some friends with what we usually play. */
  'POST /api/companies': [CompanyBody, Company];
  /** Forget a company. */
  'DELETE /api/companies/{company}': [undefined, undefined];
  /** The usual four: set their table, and invite all of them. */
  'POST /api/companies/{company}/table': [undefined, CompanyTableReply];
  /** Go on here as the person who made a code elsewhere. */
  'POST /api/continue': [CodeBody, MeReply];
  /** Withdraw my link of friendship. */
  'DELETE /api/friend-link': [undefined, undefined];
  /** A link of friendship, in the place of the one before. */
  'POST /api/friend-link': [undefined, FriendLink];
  /** Whose link of friendship it is, and to agree to it. */
  'POST /api/friend-link/use': [LinkBody, FriendReply];
  /** My friends, who wants to be one, and whom I asked. */
  'GET /api/friends': [undefined, FriendsReply];
  /** Whether my friends see when I am here. */
  'PATCH /api/friends': [YesBody, undefined];
  /** Ask somebody whether they want to be my friend. */
  'POST /api/friends': [WhomBody, FriendReply];
  /** End a friendship, or take back that I asked. */
  'DELETE /api/friends/{friend}': [undefined, undefined];
  /** Say yes or no to somebody who wants to be my friend. */
  'POST /api/friends/{friend}': [YesBody, undefined];
  /** What can be played: games, options, bots, paces, set phrases. */
  'GET /api/games': [undefined, GamesReply];
  /** How many people are here, how many open tables there are, and the liveliest game. */
  'GET /api/house': [undefined, House];
  /** Delete me: my games stay, my name goes. */
  'DELETE /api/me': [undefined, undefined];
  /** Who I am here. */
  'GET /api/me': [undefined, MeReply];
  /** Take another name. */
  'PATCH /api/me': [NameBody, MeReply];
  /** Play at once as a guest with a name. */
  'POST /api/me': [NameBody, MeReply];
  /** A code to go on as the same person on another device. */
  'POST /api/me/code': [undefined, CodeReply];
  /** New recovery codes, in place of all before. */
  'POST /api/me/codes': [undefined, CodesReply];
  /** What I am told though no page of mine is open, and in which browsers. */
  'GET /api/me/doorbell': [undefined, DoorbellReply];
  /** Choose what I am told, and when I am left alone. */
  'PATCH /api/me/doorbell': [DoorbellBody, DoorbellReply];
  /** Have this browser told that it is my turn, by way of its push service. */
  'POST /api/me/doorbell/browsers': [BrowserBody, DoorbellReply];
  /** Have a browser told nothing any more. */
  'DELETE /api/me/doorbell/browsers/{browser}': [undefined, undefined];
  /** Have this browser told something, to see whether it is. */
  'POST /api/me/doorbell/try': [undefined, TriedReply];
  /** All that is mine: account, passkeys, browsers, programs, what I said, and every game that is over. */
  'GET /api/me/download': [undefined, MineReply];
  /** Tables to which friends invite me, the newest first. */
  'GET /api/me/invitations': [undefined, InvitationsReply];
  /** Take an invitation from my list. */
  'DELETE /api/me/invitations/{table}': [undefined, undefined];
  /** A challenge for a new passkey. */
  'POST /api/me/passkey/begin': [undefined, BeginReply];
  /** How I can come back: my passkeys, and how many recovery codes are left. */
  'GET /api/me/passkeys': [undefined, PasskeysReply];
  /** Keep my name: a passkey by which I can come back. */
  'POST /api/me/passkeys': [PasskeyBody, KeptReply];
  /** Remove a passkey. */
  'DELETE /api/me/passkeys/{passkey}': [undefined, undefined];
  /** Give a passkey another label. */
  'PATCH /api/me/passkeys/{passkey}': [LabelBody, PasskeyReply];
  /** Tables at which I played, the newest first. */
  'GET /api/me/played': [undefined, TablesReply];
  /** My programs. */
  'GET /api/me/programs': [undefined, ProgramsReply];
  /** A token for a program of mine. */
  'POST /api/me/programs': [NameBody, Program];
  /** Delete a program of mine, and its token. */
  'DELETE /api/me/programs/{program}': [undefined, undefined];
  /** A new token for a program of mine, good for another year. */
  'POST /api/me/programs/{program}/token': [undefined, Program];
  /** My ratings, with how they went. */
  'GET /api/me/ratings': [undefined, RatingsReply];
  /** Sign out here. */
  'DELETE /api/me/session': [undefined, undefined];
  /** Sign out everywhere. */
  'DELETE /api/me/sessions': [undefined, undefined];
  /** The browsers in which I am signed in, the last used first. */
  'GET /api/me/sessions': [undefined, SessionsReply];
  /** Sign out in one browser. */
  'DELETE /api/me/sessions/{session}': [undefined, undefined];
  /** What others see on my page. */
  'PATCH /api/me/shown': [ShownBody, Shown];
  /** Tables at which I play, those first where it is my turn. */
  'GET /api/me/tables': [undefined, TablesReply];
  /** What operators did, the newest first. */
  'GET /api/operator/acts': [undefined, ActsReply];
  /** People whose names begin like a text, or look as if they did. */
  'GET /api/operator/people': [undefined, PeopleReply];
  /** Somebody: since when, reports about them, what was done. */
  'GET /api/operator/people/{person}': [undefined, DeskSheet];
  /** Mute, rename, ban or sign out somebody, or take a mute, a name or a ban back. It is written down. */
  'POST /api/operator/people/{person}/acts': [ActBody, DeskAct];
  /** Reports, the oldest first: those that nobody has closed, or all. */
  'GET /api/operator/reports': [undefined, ReportsReply];
  /** A report with what was said around it. */
  'GET /api/operator/reports/{report}': [undefined, DeskReport];
  /** Be done with a report. */
  'POST /api/operator/reports/{report}/close': [CloseBody, undefined];
  /** A member's page: name, results and ratings, as far as they show them. */
  'GET /api/people/{name}': [undefined, ProfileReply];
  /** A member's finished games at open tables, the newest first. */
  'GET /api/people/{name}/games': [undefined, ProfileGamesReply];
  /** Wait no more. */
  'DELETE /api/play': [undefined, undefined];
  /** How it stands with my wait for others. */
  'GET /api/play': [undefined, Waiting];
  /** Play with whoever wants to as well. */
  'POST /api/play': [WantBody, Waiting];
  /** I am there: others were found, and I want to begin. */
  'POST /api/play/ready': [ComeBody, Waiting];
  /** Sign in by a recovery code, which is good once. */
  'POST /api/recover': [RecoverBody, MeReply];
  /** Report somebody to who runs this house. */
  'POST /api/reports': [ReportBody, undefined];
  /** Sign in by a passkey. */
  'POST /api/sign-in': [SignInBody, MeReply];
  /** A challenge for a passkey that I have. */
  'POST /api/sign-in/begin': [undefined, BeginReply];
  /** What happens at all the tables that I follow, as server-sent events. */
  'GET /api/stream': [undefined, undefined];
  /** Tables that are open to everyone, the newest first. */
  'GET /api/tables': [undefined, TablesReply];
  /** Set a table. */
  'POST /api/tables': [TableBody, TableReply];
  /** The table as I may see it now. */
  'GET /api/tables/{table}': [undefined, Sight];
  /** Ask the others to end the game without a winner. */
  'POST /api/tables/{table}/abandon': [undefined, DoneReply];
  /** Agree to what somebody asks for, or do not. */
  'POST /api/tables/{table}/answer': [AnswerBody, DoneReply];
  /** What the others at a table are to me: friends, asked, asking, blocked, or nothing yet. */
  'GET /api/tables/{table}/bonds': [undefined, BondsReply];
  /** Sit a bot down before the game. */
  'POST /api/tables/{table}/bots': [BotBody, DoneReply];
  /** Send a bot away before the game. */
  'DELETE /api/tables/{table}/bots/{seat}': [undefined, DoneReply];
  /** What was said. */
  'GET /api/tables/{table}/chat': [undefined, LinesReply];
  /** Say something: a set phrase or a line of text. */
  'POST /api/tables/{table}/chat': [SayBody, Line];
  /** What happened, as I may hear it, from an entry on. */
  'GET /api/tables/{table}/entries': [undefined, EntriesReply];
  /** The table as it was after an entry. */
  'GET /api/tables/{table}/entries/{number}': [undefined, Look];
  /** A finished game for anyone to keep and verify (docs/log.md). */
  'GET /api/tables/{table}/export': [undefined, undefined];
  /** Invite friends to a table at which I sit. */
  'POST /api/tables/{table}/invitations': [InviteBody, InvitedReply];
  /** Send a person away before the game: they may not sit down at this table again, and others, unless it is open to all, only by a new link. */
  'POST /api/tables/{table}/kick': [SeatBody, DoneReply];
  /** Get up: before the game the seat is empty again, while it goes on a bot plays until I return. */
  'POST /api/tables/{table}/leave': [undefined, DoneReply];
  /** What whoever is to act may do, as far as I can know. */
  'GET /api/tables/{table}/moves': [undefined, MovesReply];
  /** Make the moves of a draft, all or none. */
  'POST /api/tables/{table}/moves': [PlayBody, DoneReply];
  /** Ask the others to pause. */
  'POST /api/tables/{table}/pause': [undefined, DoneReply];
  /** The game as I lived through it, as an engine opens it (`open` of docs/engine.md). */
  'GET /api/tables/{table}/record': [undefined, Record];
  /** Another game with the same people: the same table for all who ask, where each has a seat kept, one further on. Nobody sits there yet: `sit` down next, naming no seat, with a nonce made after the answer. */
  'POST /api/tables/{table}/rematch': [undefined, TableReply];
  /** Give up; a bot plays on. */
  'POST /api/tables/{table}/resign': [undefined, DoneReply];
  /** End a pause. */
  'POST /api/tables/{table}/resume': [undefined, DoneReply];
  /** Take my seat back from the bot that plays for me. */
  'POST /api/tables/{table}/return': [undefined, DoneReply];
  /** The score, explained line by line, as far as I can know. */
  'GET /api/tables/{table}/sheet': [undefined, SheetReply];
  /** Sit down: before the game at an empty seat, while it goes on at the seat of a bot. */
  'POST /api/tables/{table}/sit': [SitBody, DoneReply];
  /** Begin, with bots at the empty seats if a bot is named. */
  'POST /api/tables/{table}/start': [StartBody, DoneReply];
  /** Go back: at once against bots alone, else when the others agree. */
  'POST /api/tables/{table}/undo': [UndoBody, DoneReply];
}
