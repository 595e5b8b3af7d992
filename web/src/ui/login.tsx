import {useState} from 'preact/hooks';
import {getLogin, postLogin} from '../api/http.ts';
import {fromBase64, passwordHash, toBase64} from '../api/password_hash.ts';
import {refresh} from '../live/session.ts';

export function Login() {
  const [fault, setFault] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const user = String(fields.get('user'));
    try {
      const {challenge} = await getLogin();
      await postLogin(user, toBase64(passwordHash(fromBase64(challenge), user, String(fields.get('password')))));
      refresh();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="login" onSubmit={submit}>
      <h1>davit</h1>
      <label>
        User <input name="user" autocomplete="username" required autofocus />
      </label>
      <label>
        Password <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button class="is-main">Log in</button>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
