BEGIN TRANSACTION;
CREATE TABLE access_log (
	entry_id INTEGER NOT NULL, 
	at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	access VARCHAR NOT NULL, 
	what VARCHAR NOT NULL, 
	token_id VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	student_id VARCHAR, 
	PRIMARY KEY (entry_id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0023');
CREATE TABLE alert_deliveries (
	review_id INTEGER NOT NULL, 
	channel VARCHAR NOT NULL, 
	occasion VARCHAR NOT NULL, 
	message_id VARCHAR, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	next_try_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	leased_until DATETIME, 
	delivered_at DATETIME, 
	error TEXT, 
	PRIMARY KEY (review_id, channel, occasion), 
	FOREIGN KEY(review_id) REFERENCES reviews (review_id) ON DELETE CASCADE
);
CREATE TABLE alert_openings (
	opening_id INTEGER NOT NULL, 
	review_id INTEGER NOT NULL, 
	token_id VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	opened_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (opening_id), 
	FOREIGN KEY(review_id) REFERENCES reviews (review_id) ON DELETE CASCADE
);
CREATE TABLE answer_ratings (
	run_id VARCHAR NOT NULL, 
	token_id VARCHAR NOT NULL, 
	level VARCHAR NOT NULL, 
	student_id VARCHAR, 
	score INTEGER NOT NULL, 
	comment TEXT NOT NULL, 
	question TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	prompts JSON NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (run_id, token_id, level)
);
CREATE TABLE class_members (
	class_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	tile_id VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (class_id, student_id), 
	FOREIGN KEY(class_id) REFERENCES classes (class_id) ON DELETE CASCADE, 
	UNIQUE (tile_id)
);
CREATE TABLE classes (
	class_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	owner_token VARCHAR NOT NULL, 
	code VARCHAR, 
	code_expires_at DATETIME, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (class_id), 
	UNIQUE (code)
);
CREATE TABLE consents (
	consent_id INTEGER NOT NULL, 
	student_id VARCHAR NOT NULL, 
	purpose VARCHAR NOT NULL, 
	granted BOOLEAN NOT NULL, 
	given_by VARCHAR NOT NULL, 
	note TEXT, 
	recorded_by VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (consent_id)
);
INSERT INTO "consents" VALUES(1,'s1','learning',1,'보호자',NULL,'4dfe3480b599','2026-11-22 21:41:04.792000');
CREATE TABLE erasures (
	receipt_id VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	erased_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	records JSON NOT NULL, 
	pending JSON, 
	PRIMARY KEY (receipt_id)
);
CREATE TABLE executions (
	execution_id VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	flow_hash VARCHAR NOT NULL, 
	flow_name VARCHAR NOT NULL, 
	owner_token VARCHAR NOT NULL, 
	owner JSON NOT NULL, 
	student_id VARCHAR, 
	starts INTEGER DEFAULT '0' NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	ended_at DATETIME, 
	command TEXT, 
	inputs JSON NOT NULL, 
	waiting JSON, 
	answer JSON, 
	result JSON, 
	closing TEXT, 
	error JSON, 
	completed_steps JSON, 
	error_log JSON, variant VARCHAR, request_digest VARCHAR, steps JSON, 
	PRIMARY KEY (execution_id), 
	FOREIGN KEY(flow_hash) REFERENCES flow_versions (hash)
);
INSERT INTO "executions" VALUES('80947c7675214697a55f8bf92c7f4b1d','completed','1a2a0cc18e42a6476dbea0a6787afc7a61048c1325289ee53c12fc93f941259c','쓰기','4dfe3480b599','{"role":"admin","subject":[]}','s1',1,'2026-11-22 21:41:04.576000','2026-11-22 21:41:04.636000',NULL,'{"word":"a","student_id":"s1"}',NULL,NULL,'{"count":1}','''쓰기'' 실행을 마쳤습니다.',NULL,'["note"]','[]',NULL,NULL,'[{"step":"note","name":"note","kind":"mcp_call","status":"done","started_at":"2026-11-22T21:41:04.598000+00:00","ms":30,"attempts":1,"inputs":{"word":"a"},"output":{"count":1},"prints":[],"to":null,"reason":null,"error":null}]');
INSERT INTO "executions" VALUES('8a2bf7a8669b4bb490ce2aca5f3343a2','waiting','873e39d03f187206a0a871051a075b825aa1acf4d77ba149ba5a580703aa56c4','승인','4dfe3480b599','{"role":"admin","subject":[]}',NULL,1,'2026-11-22 21:41:04.666000',NULL,NULL,'{"word":"b"}','{"ask":{"step":"ask","question":"''b'' 적을까요?","form":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]},"expires_at":null}}',NULL,NULL,NULL,NULL,'[]','[]',NULL,NULL,NULL);
INSERT INTO "executions" VALUES('9e40e5b83c414ec09128d79a9b44d084','failed','099435bf91e305fb27d4273123db836a96033e90a1ac7707e72ea0ece3e241c9','실패','4dfe3480b599','{"role":"admin","subject":[]}',NULL,1,'2026-11-22 21:41:04.704000','2026-11-22 21:41:04.749000',NULL,'{"word":"c"}',NULL,NULL,NULL,'''실패'' 실행이 ''broken'' 단계에서 멈추었습니다. 그때까지의 결과는 남아 있습니다.','{"step":"broken","tool":"faulty.fail","code":"failed","message":"Error executing tool fail: ''c'' is not ready yet"}','["note"]','["broken: faulty.fail: Error executing tool fail: ''c'' is not ready yet"]',NULL,NULL,'[{"step":"note","name":"note","kind":"mcp_call","status":"done","started_at":"2026-11-22T21:41:04.718000+00:00","ms":7,"attempts":1,"inputs":{"word":"c"},"output":{"count":1},"prints":[],"to":null,"reason":null,"error":null},{"step":"broken","name":"broken","kind":"mcp_call","status":"failed","started_at":"2026-11-22T21:41:04.728000+00:00","ms":17,"attempts":1,"inputs":{"word":"c","times":99},"output":null,"prints":[],"to":null,"reason":null,"error":{"tool":"faulty.fail","code":"failed","message":"Error executing tool fail: ''c'' is not ready yet","action":"fail"}}]');
CREATE TABLE flow_versions (
	hash VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	version VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (hash)
);
INSERT INTO "flow_versions" VALUES('1a2a0cc18e42a6476dbea0a6787afc7a61048c1325289ee53c12fc93f941259c','쓰기','1.0','2026-11-22 21:41:04.573000','
flow:
  name: 쓰기
  description: 낱말을 한 번 적는다
  examples: ["낱말을 적어 줘"]
  inputs: [{name: word, type: string}, {name: student_id, type: string, required: false}]
  steps:
    - id: note
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
  outputs: {count: $note_result.count}
');
INSERT INTO "flow_versions" VALUES('873e39d03f187206a0a871051a075b825aa1acf4d77ba149ba5a580703aa56c4','승인','1.0','2026-11-22 21:41:04.666000','
flow:
  name: 승인
  description: 묻고 나서 적는다
  inputs: [{name: word, type: string}]
  steps:
    - id: ask
      action: approve
      question: "''$inputs.word'' 적을까요?"
    - id: note
      condition: $ask_result.approved
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
  outputs: {count: $note_result.count}
');
INSERT INTO "flow_versions" VALUES('099435bf91e305fb27d4273123db836a96033e90a1ac7707e72ea0ece3e241c9','실패','1.0','2026-11-22 21:41:04.703000','
flow:
  name: 실패
  description: 언제나 실패한다
  inputs: [{name: word, type: string}]
  steps:
    - id: note
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
    - id: broken
      retry: {attempts: 1}
      mcp_call: {server: faulty, tool: fail, params: {word: $inputs.word, times: 99}}
      depends_on: [note]
');
CREATE TABLE goals (
	goal_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	skill_id VARCHAR NOT NULL, 
	"right" INTEGER NOT NULL, 
	out_of INTEGER NOT NULL, 
	due VARCHAR NOT NULL, 
	baseline_word VARCHAR NOT NULL, 
	baseline_right INTEGER NOT NULL, 
	baseline_tries INTEGER NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (goal_id), 
	CONSTRAINT goals_skill_and_day UNIQUE (student_id, skill_id, due)
);
CREATE TABLE guardian_requests (
	request_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	about VARCHAR NOT NULL, 
	asked_by VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	done_at DATETIME, 
	done_by VARCHAR, 
	PRIMARY KEY (request_id)
);
CREATE TABLE heatmaps (
	student_id VARCHAR NOT NULL, 
	heatmap JSON NOT NULL, 
	answers INTEGER NOT NULL, 
	updated_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (student_id)
);
CREATE TABLE learned_procedures (
	procedure_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	definition JSON NOT NULL, 
	candidate_id INTEGER, 
	status VARCHAR NOT NULL, 
	proposed_by VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	trial JSON, 
	approved_by VARCHAR, 
	approved_at DATETIME, 
	switched_off_by VARCHAR, 
	switched_off_at DATETIME, proposed_name VARCHAR, approved_name VARCHAR, switched_off_name VARCHAR, 
	PRIMARY KEY (procedure_id), 
	UNIQUE (name), 
	FOREIGN KEY(candidate_id) REFERENCES rule_candidates (candidate_id) ON DELETE SET NULL
);
CREATE TABLE lesson_quizzes (
	session_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	chapter INTEGER NOT NULL, 
	question_number INTEGER NOT NULL, 
	question_type VARCHAR NOT NULL, 
	is_correct INTEGER NOT NULL, 
	hint_count INTEGER NOT NULL, 
	problem_id VARCHAR, 
	given INTEGER, 
	question_content TEXT NOT NULL, 
	user_answer TEXT NOT NULL, 
	feedback TEXT NOT NULL, graded_by VARCHAR, rule_score INTEGER, 
	PRIMARY KEY (session_id), 
	FOREIGN KEY(session_id) REFERENCES lesson_sessions (session_id) ON DELETE CASCADE
);
INSERT INTO "lesson_quizzes" VALUES('users1_ch1_session001_20261122_214101','s1',1,3,'multiple_choice',1,1,'X:4-1:h',3,'문제야. 4-1은 얼마일까?
① 3
② 5
③ 1
④ 2
하나를 골라 줘.','3','정답이야!
4보다 하나 더 적은 수를 바로 찾았구나.
4의 바로 앞 수는 3이야. 그래서 4-1=3이야.','rules',1);
CREATE TABLE lesson_sessions (
	session_id VARCHAR NOT NULL, 
	lesson_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	student_id VARCHAR NOT NULL, 
	chapter INTEGER NOT NULL, 
	session_count INTEGER NOT NULL, 
	decision VARCHAR NOT NULL, 
	session_start_time DATETIME NOT NULL, 
	session_end_time DATETIME NOT NULL, 
	conversations JSON NOT NULL, 
	PRIMARY KEY (session_id), 
	CONSTRAINT lesson_sessions_number UNIQUE (lesson_id, number), 
	FOREIGN KEY(lesson_id) REFERENCES lessons (lesson_id) ON DELETE CASCADE
);
INSERT INTO "lesson_sessions" VALUES('users1_ch1_session001_20261122_214101','9ed953aea1b54c2bb3d6a0080f49450c',1,'s1',1,1,'proceed','2026-11-22 21:41:01.581205','2026-11-22 21:41:01.744129','[{"agent_name":"learning_supervisor","message":"안녕! 오늘은 1장 ''9까지의 수, 하나 더 하나 덜'' 이야기를 같이 해 볼 거야.","timestamp":"2026-11-22T21:41:01.583918+00:00","message_type":"system","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"이런 것을 할 수 있게 돼.\n- 9까지의 물건을 하나도 빠뜨리지 않고, 두 번 세지도 않으면서 셀 수 있어.\n- 어떤 수보다 하나 더 많은 수와 하나 더 적은 수를 바로 말할 수 있어.\n- 하나도 없는 것을 0이라고 쓰는 이유를 말할 수 있어.","timestamp":"2026-11-22T21:41:01.583918+00:00","message_type":"system","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"궁금한 게 있으면 먼저 물어봐. 준비됐으면 ''시작''이라고 말해 줘.","timestamp":"2026-11-22T21:41:01.583918+00:00","message_type":"system","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"시작","timestamp":"2026-11-22T21:41:01.607481+00:00","message_type":"user","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"수를 셀 때는 물건을 하나씩 짚으면서 수를 하나씩 말해. 사과 한 개에 수 하나, 이렇게 짝을 지어 주는 거야.\n사과 네 개를 세어 볼까? 첫째 사과를 짚으며 \"하나\", 다음 사과를 짚으며 \"둘\", 그다음은 \"셋\", 마지막 사과를 짚으며 \"넷\".\n마지막에 말한 수가 바로 사과의 개수야. 그래서 사과는 모두 4개야.\n센 것은 옆으로 옮겨 놓거나 표시를 하면 빠뜨리지 않고, 두 번 세지도 않아.\n\n수에는 차례가 있어. 1, 2, 3, 4, 5, 6, 7, 8, 9. 언제 세어도 이 차례는 바뀌지 않아.\n수를 한 줄로 세워 놓은 것을 수직선이라고 해. 오른쪽으로 한 칸 가면 수가 1만큼 커지고, 왼쪽으로 한 칸 가면 수가 1만큼 작아져.\n\n하나 더 많은 수는 바로 다음에 세는 수야. 구슬 5개에 구슬 1개를 더 놓으면 몇 개일까?\n5 다음에 세는 수는 6이니까 구슬은 6개가 돼. 식으로는 5+1=6이라고 써.\n처음부터 다시 셀 필요가 없어. 5 다음 수만 말하면 되니까 훨씬 쉬워.\n\n하나 더 적은 수는 바로 앞에 세는 수야. 풍선 7개 가운데 1개가 날아가면 몇 개가 남을까?\n7의 바로 앞 수는 6이니까 풍선은 6개가 남아. 식으로는 7-1=6이라고 써.\n거꾸로 세는 것이 어려우면 수직선에서 왼쪽으로 딱 한 칸만 가 봐.\n\n접시에 과자가 1개 있었는데 그 1개를 먹었어. 이제 과자가 하나도 없지?\n하나도 없는 것을 0이라고 쓰고 \"영\"이라고 읽어. 그래서 1-1=0이야.\n0은 1보다 하나 더 적은 수라서 수직선에서 1의 바로 왼쪽에 있어.\n\n어느 쪽이 더 많은지 알고 싶으면 하나씩 짝을 지어 봐. 컵 6개와 빨대 5개를 짝지으면 컵 1개가 남아.\n짝이 없어 남는 쪽이 더 많은 쪽이야. 그래서 6은 5보다 크고, 5보다 하나 더 많은 수야.","timestamp":"2026-11-22T21:41:01.612885+00:00","message_type":"system","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"이야기는 여기까지야. 궁금한 건 뭐든 물어보고, 준비됐으면 ''다음''이라고 말해 줘. 문제를 하나 같이 풀어 보자.","timestamp":"2026-11-22T21:41:01.612885+00:00","message_type":"system","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"다음","timestamp":"2026-11-22T21:41:01.633616+00:00","message_type":"user","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"문제야. 4-1은 얼마일까?\n① 3\n② 5\n③ 1\n④ 2\n하나를 골라 줘.","timestamp":"2026-11-22T21:41:01.635552+00:00","message_type":"system","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"힌트","timestamp":"2026-11-22T21:41:01.674966+00:00","message_type":"user","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"힌트 1: 빼기 1은 하나 더 적은 수를 찾는 거야.","timestamp":"2026-11-22T21:41:01.681078+00:00","message_type":"system","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"3","timestamp":"2026-11-22T21:41:01.700716+00:00","message_type":"user","session_stage":"theory_completed"},{"agent_name":"learning_supervisor","message":"정답이야!\n4보다 하나 더 적은 수를 바로 찾았구나.\n4의 바로 앞 수는 3이야. 그래서 4-1=3이야.","timestamp":"2026-11-22T21:41:01.703116+00:00","message_type":"system","session_stage":"quiz_and_feedback_completed"},{"agent_name":"learning_supervisor","message":"더 궁금한 게 있으면 물어봐. 준비됐으면 ''다음''이라고 말해 줘.","timestamp":"2026-11-22T21:41:01.703116+00:00","message_type":"system","session_stage":"quiz_and_feedback_completed"},{"agent_name":"learning_supervisor","message":"다음","timestamp":"2026-11-22T21:41:01.735405+00:00","message_type":"user","session_stage":"quiz_and_feedback_completed"}]');
CREATE TABLE lesson_statistics (
	student_id VARCHAR NOT NULL, 
	course VARCHAR NOT NULL, 
	chapter INTEGER NOT NULL, 
	learning_count INTEGER NOT NULL, 
	passed_count INTEGER NOT NULL, 
	score_sum INTEGER NOT NULL, 
	best_score INTEGER NOT NULL, 
	last_score INTEGER NOT NULL, 
	hint_count INTEGER NOT NULL, 
	seconds INTEGER NOT NULL, 
	last_at DATETIME NOT NULL, 
	PRIMARY KEY (student_id, course, chapter)
);
INSERT INTO "lesson_statistics" VALUES('s1','arithmetic',1,1,1,100,100,100,1,0,'2026-11-22 21:41:01.744129');
CREATE TABLE lessons (
	lesson_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	course VARCHAR NOT NULL, 
	"begin" JSON NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, turn INTEGER DEFAULT '0' NOT NULL, state JSON, 
	PRIMARY KEY (lesson_id)
);
INSERT INTO "lessons" VALUES('9ed953aea1b54c2bb3d6a0080f49450c','s1','arithmetic','{"user_id":"s1","user_type":"beginner","chapter":1}','2026-11-22 21:41:01.580000',5,'{"user_id":"s1","user_type":"beginner","current_chapter":2,"current_agent":"learning_supervisor","session_progress_stage":"session_start","ui_mode":"chat","current_question_type":"","current_question_number":0,"current_question_content":"","current_question_answer":"","is_answer_correct":0,"evaluation_feedback":"","hint_usage_count":0,"theory_draft":"","quiz_draft":"","feedback_draft":"","qna_draft":"","previous_agent":"session_manager","session_decision_result":"proceed","current_session_count":1,"session_start_time":"2026-11-22T21:41:01.802814+00:00","current_session_conversations":[{"agent_name":"learning_supervisor","message":"이제 2장 ''모으기와 가르기'' 차례야.","timestamp":"2026-11-22T21:41:01.805545+00:00","message_type":"system","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"이런 것을 할 수 있게 돼.\n- 두 수를 모아 6까지의 수를 만들고, 한 수를 두 수로 가를 수 있어.\n- 한 수를 가르는 여러 방법을 빠짐없이 찾을 수 있어.\n- 한쪽 수를 알 때 비어 있는 다른 쪽 수를 찾을 수 있어.","timestamp":"2026-11-22T21:41:01.805545+00:00","message_type":"system","session_stage":"session_start"},{"agent_name":"learning_supervisor","message":"궁금한 게 있으면 먼저 물어봐. 준비됐으면 ''시작''이라고 말해 줘.","timestamp":"2026-11-22T21:41:01.805545+00:00","message_type":"system","session_stage":"session_start"}],"recent_sessions_summary":[{"session_id":"users1_ch1_session001_20261122_214101","chapter":"1","question_number":"3","question_type":"multiple_choice","is_answer_correct":"1","graded_by":"rules","rule_score":"1","hint_usage_count":"1","session_decision_result":"proceed","session_end_time":"2026-11-22T21:41:01.744129+00:00","summary":"1장 1번째 학습: 4-1은 얼마일까? → 통과"}],"lesson_id":"9ed953aea1b54c2bb3d6a0080f49450c","course":"arithmetic","session_number":2,"asked":[],"question_open":false,"inbox":{"kind":"message","text":"다음","request_id":"8e98f6fafc81483087890672798e5e3e"},"aside":null,"spoken":[],"evaluation":null,"explaining":null,"completing":null,"finished":false,"requests":{"3f421030f73b46f7a9ad91fc6bf6133b":"14e68a7b25bca1a064c13d10a1122e20556ef26905c85294cb69e363dba4b3c3","cc99faa0fb044361b863999043afa253":"c0c207ecb1f3ce2ba1834bec9416685f1a51fe324e506e6e511c37f9a0a0aa94","c2e7b96e18cd4dac9a98187c341c71cb":"0a70ee8e7fddb607efb97a7e59352bca9c0ae35b4b78588939844a3979adf681","ecdd0a2ee04843299967bf82835565ba":"27ac6c79b49eea64d02549caebc476b5aa2a6729667a593efb062b1328c76f98","8e98f6fafc81483087890672798e5e3e":"abe7bf4a4a868b561233ad66649a0921e186e38537b619c3efa358a905b61e24"},"turns":5}');
CREATE TABLE messages (
	thread_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	role VARCHAR NOT NULL, 
	run_id VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	text TEXT NOT NULL, 
	detail JSON, 
	PRIMARY KEY (thread_id, number), 
	FOREIGN KEY(thread_id) REFERENCES threads (thread_id) ON DELETE CASCADE
);
INSERT INTO "messages" VALUES('59d83c149e3c4eeea7fe3d6c34a3d17a',1,'user','061b899dcb374888a5e01a11d8f421db','2026-11-22 21:41:02.044000','내 약점 보여줘',NULL);
INSERT INTO "messages" VALUES('59d83c149e3c4eeea7fe3d6c34a3d17a',2,'assistant','061b899dcb374888a5e01a11d8f421db','2026-11-22 21:41:02.044000','그동안의 기록을 찬찬히 살펴봤어. 조금 더 익히면 좋을 곳은 여기야.
1. 십과 몇 (19까지의 수)
· 술술 풀기
· 정확도
10+3은 13인데 103이 나온 적이 있어.
2. 10이 되는 더하기, 10에서 빼기
· 정확도
3. 받아올림이 있는 (한 자리)+(한 자리)
· 정확도
아는 문제를 하루에 다섯 개씩 되풀이하면 점점 술술 나와.
한 번에 하나씩이면 충분해. 맨 위의 것부터 같이 해 보자.','{"intent":{"intent_type":"A","intent_name":"데이터 조회형","confidence":0.97,"reasoning":"‘약점’, ‘약점보여’, ‘보여’ 같은 말로 보아 성적이나 약점 같은 학습 기록을 보려는 질문으로 보여요.","key_indicators":["약점","약점보여","보여"]},"steps":[{"tool":"get_weak_points","arguments":{},"result":{"Cur-C5":{"name":"십과 몇 (19까지의 수)","answered":3,"enough":true,"weak_metrics":[{"metric":"술술 풀기","score":0,"id":"fluency"},{"metric":"정확도","score":33,"id":"accuracy"}],"metrics":{"정확도":33,"술술 풀기":0,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100}},"Cur-C6":{"name":"10이 되는 더하기, 10에서 빼기","answered":5,"enough":true,"weak_metrics":[{"metric":"정확도","score":40,"id":"accuracy"}],"metrics":{"정확도":40,"술술 풀기":100,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100}},"Cur-C7":{"name":"받아올림이 있는 (한 자리)+(한 자리)","answered":5,"enough":true,"weak_metrics":[{"metric":"정확도","score":40,"id":"accuracy"}],"metrics":{"정확도":40,"술술 풀기":100,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100}},"Cur-C8":{"name":"두 자리 수의 덧셈 (백 몇십 포함)","answered":1,"enough":false,"weak_metrics":[],"metrics":{"정확도":100,"술술 풀기":100,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100}}},"error":null,"cached":false},{"tool":"get_weak_points","arguments":{"unit_id":"Cur-C5"},"result":{"Cur-C5":{"name":"십과 몇 (19까지의 수)","answered":3,"enough":true,"weak_metrics":[{"metric":"술술 풀기","score":0,"id":"fluency"},{"metric":"정확도","score":33,"id":"accuracy"}],"metrics":{"정확도":33,"술술 풀기":0,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100},"examples":[{"expression":"10+3","given":103,"right":13}],"trainings":[]}},"error":null,"cached":false},{"tool":"get_weak_points","arguments":{"unit_id":"Cur-C6"},"result":{"Cur-C6":{"name":"10이 되는 더하기, 10에서 빼기","answered":5,"enough":true,"weak_metrics":[{"metric":"정확도","score":40,"id":"accuracy"}],"metrics":{"정확도":40,"술술 풀기":100,"수의 뜻 알기":100,"푸는 방법 고르기":100,"자리 맞추기":100,"차례대로 계산하기":100,"찬찬히 보기":100,"바르게 옮겨 쓰기":100},"examples":[],"trainings":[]}},"error":null,"cached":false}],"chart":{"chart_type":"radar","title":"약점 살펴보기","data":{"labels":["정확도","술술 풀기","수의 뜻 알기","푸는 방법 고르기","자리 맞추기","차례대로 계산하기","찬찬히 보기","바르게 옮겨 쓰기"],"series":[{"name":"십과 몇 (19까지의 수)","values":[33,0,100,100,100,100,100,100]},{"name":"10이 되는 더하기, 10에서 빼기","values":[40,100,100,100,100,100,100,100]},{"name":"받아올림이 있는 (한 자리)+(한 자리)","values":[40,100,100,100,100,100,100,100]}],"max":100}}}');
INSERT INTO "messages" VALUES('286acee6d58247589dc08cb9a442ebbc',1,'user','eab6c95da5a84f5d8bd1317ddef0eec7','2026-11-22 21:41:02.101000','받아올림이 뭐야?',NULL);
INSERT INTO "messages" VALUES('286acee6d58247589dc08cb9a442ebbc',2,'assistant','eab6c95da5a84f5d8bd1317ddef0eec7','2026-11-22 21:41:02.101000','받아올림은 열 개가 모이면 한 묶음으로 바꾸어 윗자리에 올려 주는 거야. 낱개 10개는 십 1개와 같으니까.
먼저 ''십과 몇 (19까지의 수)'', ''10이 되는 더하기, 10에서 빼기'' 단원을 알고 있으면 쉬워.
이렇게 연습해 봐. 더하는 수를 두 수로 갈라 적어 두면 헷갈리지 않아.','{"intent":{"intent_type":"F","intent_name":"개념 설명형","confidence":0.8,"reasoning":"‘뭐야’, ‘받아올림’ 같은 말로 보아 개념이나 까닭을 알고 싶어 하는 질문으로 보여요.","key_indicators":["뭐야","받아올림"]},"steps":[{"tool":"get_unit_curriculum","arguments":{"unit_id":"Cur-C7"},"result":{"unit_id":"Cur-C7","unit":"받아올림이 있는 (한 자리)+(한 자리)","description":"10을 만들어 한 자리 수끼리 더합니다.","goals":["합이 10을 넘는 한 자리 수끼리의 덧셈을 할 수 있어.","10을 먼저 만들고 남은 수를 더할 수 있어."],"concepts":[{"name":"받아올림","also":["올림","받아 올림"],"explanation":"받아올림은 열 개가 모이면 한 묶음으로 바꾸어 윗자리에 올려 주는 거야. 낱개 10개는 십 1개와 같으니까."},{"name":"10 만들어 더하기","also":["10 만들기","십 만들기","10을 만들어 더하기"],"explanation":"한 수를 갈라서 먼저 10을 만드는 방법이야. 8+6은 6을 2와 4로 갈라 8+2로 10을 만들고 4를 더해서 14야."}],"tips":["큰 수가 10이 되려면 몇이 더 있어야 하는지부터 찾아봐.","더하는 수를 두 수로 갈라 적어 두면 헷갈리지 않아."],"example":{"prompt":"9+4=□","steps":["9와 더해서 10이 되는 짝꿍은 1이야.","4를 1과 3으로 갈라 보자.","9와 1을 먼저 더해 10을 만들고, 남은 3을 더하면 13이야."]},"before":["십과 몇 (19까지의 수)","10이 되는 더하기, 10에서 빼기"]},"error":null,"cached":false}]}');
INSERT INTO "messages" VALUES('d8ca27ccd7624677b7872e60d8b267b4',1,'user','ceb7b22b79294e499bf7c9a8732ed6ca','2026-11-22 21:41:02.129000','죽고 싶어','{"safety":{"asks":false}}');
INSERT INTO "messages" VALUES('d8ca27ccd7624677b7872e60d8b267b4',2,'assistant','ceb7b22b79294e499bf7c9a8732ed6ca','2026-11-22 21:41:02.129000','말해 줘서 고마워. 많이 힘들었구나. 네 잘못이 아니야.
혼자 있지 말고, 지금 옆에 있는 어른에게 그대로 말해 줘.
전화는 109, 1388. 밤에도 들어 줘.','{"intent":{"intent_type":"C","intent_name":"동기부여형","confidence":1.0,"reasoning":"도움이 필요한 말로 보여요.","key_indicators":[]},"safety":{"asks":false}}');
CREATE TABLE paper_passages (
	paper_id VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	heading VARCHAR NOT NULL, 
	page INTEGER, 
	text TEXT NOT NULL, 
	words TEXT NOT NULL, 
	PRIMARY KEY (paper_id, place), 
	FOREIGN KEY(paper_id) REFERENCES papers (paper_id) ON DELETE CASCADE
);
CREATE TABLE papers (
	paper_id VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	authors JSON NOT NULL, 
	year INTEGER, 
	kind VARCHAR NOT NULL, 
	file_name VARCHAR NOT NULL, 
	starter BOOLEAN NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (paper_id)
);
CREATE TABLE paused_schedules (
	flow_name VARCHAR NOT NULL, 
	paused_by VARCHAR NOT NULL, 
	paused_at DATETIME NOT NULL, 
	PRIMARY KEY (flow_name)
);
CREATE TABLE procedure_versions (
	version INTEGER NOT NULL, 
	names JSON NOT NULL, 
	changed_by VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, changed_name VARCHAR, 
	PRIMARY KEY (version)
);
CREATE TABLE report_links (
	link_id VARCHAR NOT NULL, 
	report_id VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	opened_at DATETIME, 
	PRIMARY KEY (link_id), 
	FOREIGN KEY(report_id) REFERENCES reports (report_id) ON DELETE CASCADE
);
CREATE TABLE report_students (
	report_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	PRIMARY KEY (report_id, student_id), 
	FOREIGN KEY(report_id) REFERENCES reports (report_id) ON DELETE CASCADE
);
CREATE TABLE reports (
	report_id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	student_ids JSON NOT NULL, 
	since VARCHAR NOT NULL, 
	until VARCHAR NOT NULL, 
	pages INTEGER NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (report_id)
);
CREATE TABLE "reviews" (
	review_id INTEGER NOT NULL, 
	session_id VARCHAR, 
	kind VARCHAR NOT NULL, 
	payload JSON NOT NULL, 
	status VARCHAR DEFAULT 'open' NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	decided_at DATETIME, 
	decided_by VARCHAR, 
	decision JSON, 
	room VARCHAR, 
	place_id VARCHAR, 
	student_id VARCHAR, 
	message_id VARCHAR, 
	category VARCHAR, 
	urgency VARCHAR, 
	tier INTEGER, 
	words TEXT, 
	PRIMARY KEY (review_id), 
	FOREIGN KEY(session_id) REFERENCES sessions (session_id) ON DELETE CASCADE
);
INSERT INTO "reviews" VALUES(1,NULL,'safety','{"role":"student"}','open','2026-11-22 21:41:02.122000',NULL,NULL,NULL,'coach','d8ca27ccd7624677b7872e60d8b267b4','s1','cc1d9333a09bb59be31c5239862b2fa7','self_harm','now',1,'죽고 싶어');
CREATE TABLE rule_candidates (
	candidate_id INTEGER NOT NULL, 
	operation VARCHAR NOT NULL, 
	cause_tag VARCHAR NOT NULL, 
	procedure TEXT NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (candidate_id)
);
CREATE TABLE rule_examples (
	example_id INTEGER NOT NULL, 
	candidate_id INTEGER NOT NULL, 
	problem_id VARCHAR NOT NULL, 
	answer INTEGER NOT NULL, 
	PRIMARY KEY (example_id), 
	FOREIGN KEY(candidate_id) REFERENCES rule_candidates (candidate_id) ON DELETE CASCADE
);
CREATE TABLE saved_files (
	file_id VARCHAR NOT NULL, 
	owner_token VARCHAR NOT NULL, 
	student_id VARCHAR, 
	name VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	expires_at DATETIME NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (file_id)
);
CREATE TABLE school_documents (
	document_id VARCHAR NOT NULL, 
	school_code VARCHAR NOT NULL, 
	year INTEGER NOT NULL, 
	title VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (document_id), 
	FOREIGN KEY(school_code) REFERENCES schools (school_code) ON DELETE CASCADE
);
CREATE TABLE schools (
	school_code VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	region VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	sample BOOLEAN NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	PRIMARY KEY (school_code)
);
CREATE TABLE sessions (
	session_id VARCHAR NOT NULL, 
	student_id VARCHAR NOT NULL, 
	start JSON NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	ended_at DATETIME, open_problems JSON, 
	PRIMARY KEY (session_id)
);
INSERT INTO "sessions" VALUES('9349ecf564624647becfa5f8f8dbcb02','s1','{"schema_version":1,"student_id":"s1","c_position":7,"w_position":4.5,"problem_count":15,"first_problem":null,"seed":7,"policy":{"promotion_streak":2,"rt_policy":"fixed"},"frequent_cause":null,"parked":[],"rt_norms":{}}','2026-11-22 21:40:59.433000',NULL,'["P-00360"]');
INSERT INTO "sessions" VALUES('0c3fc9c454464bd6810a55cb75476f0f','s1','{"schema_version":1,"student_id":"s1","c_position":7,"w_position":4.5,"problem_count":15,"first_problem":null,"seed":11,"policy":{"promotion_streak":2,"rt_policy":"fixed"},"frequent_cause":null,"parked":[],"rt_norms":{}}','2026-11-22 21:40:59.704000','2026-11-22 21:40:59.822000','["P-00394"]');
INSERT INTO "sessions" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e','s2','{"schema_version":1,"student_id":"s2","c_position":8,"w_position":7.0,"problem_count":15,"first_problem":null,"seed":5,"policy":{"promotion_streak":2,"rt_policy":"fixed"},"frequent_cause":null,"parked":[],"rt_norms":{}}','2026-11-22 21:40:59.855000',NULL,'["P-04044"]');
INSERT INTO "sessions" VALUES('ca2f5983cc6941bda58d59b17b56162c','s2','{"schema_version":1,"student_id":"s2","c_position":7,"w_position":4.5,"problem_count":15,"first_problem":null,"seed":9,"policy":{"promotion_streak":2,"rt_policy":"fixed"},"frequent_cause":"ATTENTION_L0_DISENGAGED","parked":[],"rt_norms":{}}','2026-11-22 21:41:00.048000',NULL,'["P-00360"]');
CREATE TABLE sign_ins (
	hash VARCHAR NOT NULL, 
	token_id VARCHAR, 
	student_id VARCHAR, 
	class_id VARCHAR, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	expires_at DATETIME NOT NULL, tablet VARCHAR, last_used_at DATETIME, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(token_id) REFERENCES tokens (token_id) ON DELETE CASCADE, 
	FOREIGN KEY(class_id) REFERENCES classes (class_id) ON DELETE CASCADE
);
CREATE TABLE skipped_runs (
	flow_name VARCHAR NOT NULL, 
	due_at DATETIME NOT NULL, 
	running VARCHAR NOT NULL, 
	PRIMARY KEY (flow_name, due_at)
);
CREATE TABLE "students" (
	student_id VARCHAR NOT NULL, 
	birth_year INTEGER, 
	updated_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	nickname VARCHAR, 
	animal VARCHAR, 
	grade INTEGER, 
	pictures VARCHAR, 
	card VARCHAR, 
	prefs JSON, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	tried_at DATETIME, 
	PRIMARY KEY (student_id), 
	CONSTRAINT students_card_key UNIQUE (card)
);
CREATE TABLE task_observations (
	session_id VARCHAR NOT NULL, 
	task_id VARCHAR NOT NULL, 
	tag VARCHAR NOT NULL, 
	seen_by VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, cause_tag VARCHAR, 
	PRIMARY KEY (session_id, task_id, tag), 
	FOREIGN KEY(session_id) REFERENCES sessions (session_id) ON DELETE CASCADE
);
CREATE TABLE threads (
	thread_id VARCHAR NOT NULL, 
	profile VARCHAR NOT NULL, 
	student_id VARCHAR, 
	owner_token VARCHAR, 
	turns INTEGER NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	updated_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, title VARCHAR, 
	PRIMARY KEY (thread_id)
);
INSERT INTO "threads" VALUES('59d83c149e3c4eeea7fe3d6c34a3d17a','coach','s1',NULL,1,'2026-11-22 21:41:02.043000','2026-11-22 21:41:02.043000',NULL);
INSERT INTO "threads" VALUES('286acee6d58247589dc08cb9a442ebbc','coach','s1','df5f43a1eb09',1,'2026-11-22 21:41:02.099000','2026-11-22 21:41:02.099000',NULL);
INSERT INTO "threads" VALUES('d8ca27ccd7624677b7872e60d8b267b4','coach','s1',NULL,1,'2026-11-22 21:41:02.127000','2026-11-22 21:41:02.127000',NULL);
CREATE TABLE tokens (
	token_id VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	role VARCHAR NOT NULL, 
	subject JSON NOT NULL, 
	label VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	expires_at DATETIME, 
	revoked_at DATETIME, prefs JSON, last_used_at DATETIME, 
	PRIMARY KEY (token_id), 
	UNIQUE (hash)
);
INSERT INTO "tokens" VALUES('4dfe3480b599','4dfe3480b5992fa0a1209fcf47a0f4212dad09c2bf17237576db756ef508aae8','admin','[]','','2026-11-22 21:40:57.763328',NULL,NULL,NULL,NULL);
INSERT INTO "tokens" VALUES('df5f43a1eb09','df5f43a1eb09ad2964d80565d3ce39ba6cf802d048b30169eb1da3eee1450d0b','teacher','["s1","s2"]','','2026-11-22 21:41:00.056185',NULL,NULL,NULL,NULL);
INSERT INTO "tokens" VALUES('3bdc48d98c9e','3bdc48d98c9ec563120dd577bc1a44be4a4a0897c7196f4b03d39036bf8cc9d8','student','["s1"]','','2026-11-22 21:41:00.057369',NULL,NULL,NULL,NULL);
CREATE TABLE turns (
	session_id VARCHAR NOT NULL, 
	turn INTEGER NOT NULL, 
	request_id VARCHAR NOT NULL, 
	created_at DATETIME DEFAULT (strftime('%Y-%m-%d %H:%M:%f000', 'now')) NOT NULL, 
	problem_id VARCHAR, 
	kind VARCHAR, 
	phase VARCHAR, 
	c_level INTEGER, 
	w FLOAT, 
	correct BOOLEAN, 
	pattern VARCHAR, 
	rt_ms INTEGER, 
	input_kind VARCHAR, 
	cause_tag VARCHAR, 
	confidence VARCHAR, 
	learner JSON, 
	event JSON NOT NULL, 
	llm JSON, 
	response JSON NOT NULL, 
	trace JSON NOT NULL, open_problems JSON, 
	PRIMARY KEY (session_id, turn), 
	CONSTRAINT turns_request UNIQUE (session_id, request_id), 
	FOREIGN KEY(session_id) REFERENCES sessions (session_id) ON DELETE CASCADE
);
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',1,'r-1','2026-11-22 21:40:59.467000','P-00360','problem','normal',7,4.5,0,'logical_error',400,'typed',NULL,NULL,'{"c":7,"w":4.5,"parked":[]}','{"request_id":"r-1","type":"answer_submitted","task_id":"t1","answer":31,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-1","turn":1,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":[],"probe_needed":true,"source":"rule","reasoning":"답 하나로는 가를 수 없다: 일의 자리 숫자를 올리고 십의 자리 숫자를 쓴다, 답의 숫자 순서를 거꾸로 쓴다. 확인 문제로 가린다."},"adaptation":{"route":"refocus","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["잠깐 멈춰 볼까?","숨 한번 쉬자."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"training","position":{"c":7,"w":4.5},"training":[],"degraded":false,"task":{"task_id":"t2","kind":"training","prompt":"멈추고 생각하고 하기","answer_format":"training","problem":null,"choices":[],"visual_mode":"none","training":{"id":"T30","title":"멈추고 생각하고 하기","goal":"답하기 전에 멈추고 어림한 다음 답한다.","concept":"E1","widget":"stop_think_go","visual_mode":"none","prompts":{"intro":["멈추고, 생각하고,","그다음에 하자."],"right":[["잘 생각했네!"],["잘 멈췄어!"]],"again":[["괜찮아.","잠깐 멈춰 볼까?"],["숨 한번 쉬자."]],"done":["멋지게 멈췄어!"]},"done":{"correct":3,"of":3},"max_items":6,"items":[{"id":"T30-1","ask":"about","params":{"a":7,"op":"+","b":5,"than":10,"wait_ms":2000},"steps":[{"prompt":["답이 10보다 클까?"],"answer":"커","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":12,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-2","ask":"about","params":{"a":4,"op":"+","b":3,"than":10,"wait_ms":2000},"steps":[{"prompt":["답이 10보다 클까?"],"answer":"작아","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":7,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-3","ask":"about","params":{"a":9,"op":"-","b":6,"than":5,"wait_ms":2000},"steps":[{"prompt":["답이 5보다 클까?"],"answer":"작아","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":3,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-4","ask":"about","params":{"a":15,"op":"-","b":2,"than":10,"wait_ms":2000},"steps":[{"prompt":["답이 10보다 클까?"],"answer":"커","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":13,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-5","ask":"about","params":{"a":28,"op":"+","b":15,"than":30,"wait_ms":2500},"steps":[{"prompt":["답이 30보다 클까?"],"answer":"커","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":43,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-6","ask":"about","params":{"a":8,"op":"+","b":8,"than":10,"wait_ms":2000},"steps":[{"prompt":["답이 10보다 클까?"],"answer":"커","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":16,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."},{"id":"T30-7","ask":"about","params":{"a":52,"op":"-","b":38,"than":20,"wait_ms":2500},"steps":[{"prompt":["답이 20보다 클까?"],"answer":"작아","choices":["커","작아"]},{"prompt":["이제 풀어 보자.","답은 얼마일까?"],"answer":14,"choices":null}],"widget":null,"hint":"눈으로 먼저 봐."}]}},"summary":null}','[{"type":"diagnostic_request","request_id":"r-1","payload":{"problem_id":"P-00360","problem":"7+6","correct_answer":13,"student_answer":31,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":4.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-1","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":[],"probe_needed":true,"source":"rule","reasoning":"답 하나로는 가를 수 없다: 일의 자리 숫자를 올리고 십의 자리 숫자를 쓴다, 답의 숫자 순서를 거꾸로 쓴다. 확인 문제로 가린다.","norm":{"policy":"fixed","key":"7:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["wrong_digit_carried","digits_reversed"],"probe":null}},{"type":"adaptation_request","request_id":"r-1","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":[],"probe_needed":true,"source":"rule","reasoning":"답 하나로는 가를 수 없다: 일의 자리 숫자를 올리고 십의 자리 숫자를 쓴다, 답의 숫자 순서를 거꾸로 쓴다. 확인 문제로 가린다."},"response_pattern":"logical_error","current_w":4.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-1","payload":{"route":"refocus","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"5","next_problem":null,"loop_state_update":null}},{"type":"feedback_request","request_id":"r-1","payload":{"situation":"refocus","problem":"7+6","student_answer":31,"cause_tag":null,"training_context":"T30"}},{"type":"feedback_result","request_id":"r-1","payload":{"feedback_text":["잠깐 멈춰 볼까?","숨 한번 쉬자."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-1","payload":{"diagnose":164,"adapt":69,"refocus":38,"select":34,"feedback":102}}]','["P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',2,'r-2','2026-11-22 21:40:59.490000',NULL,'training','training',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"c":7,"w":4.5,"parked":[]}','{"request_id":"r-2","type":"training_done","task_id":"t2","training_id":"T30","results":{}}',NULL,'{"request_id":"r-2","turn":2,"correct":null,"response_pattern":null,"diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["연습 끝!","잘했어!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":7,"w":4.5},"training":[],"degraded":false,"task":{"task_id":"t3","kind":"problem","prompt":"7+6=□","answer_format":"integer","problem":{"problem_id":"P-00360","expression":"7+6","layout":"vertical","c_level":7,"w_total":4.5},"choices":[11,12,13,76],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-2","payload":{"problem_id":null,"problem":null,"correct_answer":null,"student_answer":null,"rt_ms":null,"behavior_tags":[],"session_context":{"w_position":4.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-2","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-2","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":null,"current_w":4.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-2","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"32","next_problem":{"problem_id":"P-00360","problem":"7+6","w_total":4.5,"c_level":7},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-2","payload":{"situation":"training_done","problem":null,"student_answer":null,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-2","payload":{"feedback_text":["연습 끝!","잘했어!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-2","payload":{"diagnose":14,"adapt":44,"training":35,"select":79,"feedback":108}}]','["P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',3,'r-3','2026-11-22 21:40:59.515000','P-00360','problem','normal',7,4.5,0,'logical_error',9000,'typed','EXECUTION_L4_CARRY_DIGIT','low','{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-3","type":"answer_submitted","task_id":"t3","answer":31,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-3","turn":3,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":"EXECUTION_L4_CARRY_DIGIT","cause_domain":"EXECUTION","confidence":"low","candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":["T20","T21"],"probe_needed":false,"source":"default","reasoning":"가려지지 않아 가장 그럴듯한 원인을 따른다."},"adaptation":{"route":"A","c_adjustment":0,"w_adjustment":-1.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["이걸 먼저 해보자.","천천히 하면 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"scaffolded_recovery_1","position":{"c":7,"w":3.5},"training":["T20","T21"],"degraded":false,"task":{"task_id":"t4","kind":"anchor","prompt":"10+6=□","answer_format":"integer","problem":{"problem_id":"X:10+6:v","expression":"10+6","layout":"vertical","c_level":5,"w_total":2.5},"choices":[10,15,16,61],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-3","payload":{"problem_id":"P-00360","problem":"7+6","correct_answer":13,"student_answer":31,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":4.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-3","payload":{"cause_tag":"EXECUTION_L4_CARRY_DIGIT","cause_domain":"EXECUTION","confidence":"low","candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":["T20","T21"],"probe_needed":false,"source":"default","reasoning":"가려지지 않아 가장 그럴듯한 원인을 따른다.","norm":{"policy":"fixed","key":"7:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["wrong_digit_carried","digits_reversed"],"probe":null}},{"type":"adaptation_request","request_id":"r-3","payload":{"diagnostic_result":{"cause_tag":"EXECUTION_L4_CARRY_DIGIT","cause_domain":"EXECUTION","confidence":"low","candidates":["EXECUTION_L4_CARRY_DIGIT","TRANSCRIPTION_L4_DIGIT_REVERSAL"],"training_ids":["T20","T21"],"probe_needed":false,"source":"default","reasoning":"가려지지 않아 가장 그럴듯한 원인을 따른다."},"response_pattern":"logical_error","current_w":4.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-3","payload":{"route":"A","c_adjustment":0,"w_adjustment":-1.0,"downscaling_strategy":null,"widened":false,"row":"12a","next_problem":{"problem_id":"X:10+6:v","problem":"10+6","w_total":2.5,"c_level":5},"loop_state_update":{"type":"three_step_recovery","step":1,"step_results":[],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false}}},{"type":"feedback_request","request_id":"r-3","payload":{"situation":"anchor","problem":"7+6","student_answer":31,"cause_tag":"EXECUTION_L4_CARRY_DIGIT","training_context":"A"}},{"type":"feedback_result","request_id":"r-3","payload":{"feedback_text":["이걸 먼저 해보자.","천천히 하면 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-3","payload":{"diagnose":237,"probe":1410,"adapt":114,"route_a":40,"recovery_loop":27,"select":209,"feedback":130}}]','["X:10+6:v","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',4,'r-4','2026-11-22 21:40:59.534000','X:10+6:v','anchor','scaffolded_recovery_1',5,2.5,1,'correct_slow',9000,'tap',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-4","type":"answer_submitted","task_id":"t4","answer":16,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-4","turn":4,"correct":true,"response_pattern":"correct_slow","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["그렇지!","이번엔 이거야."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"scaffolded_recovery_2","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t5","kind":"fine_adjustment","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-4","payload":{"problem_id":"X:10+6:v","problem":"10+6","correct_answer":16,"student_answer":16,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-4","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"5:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-4","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_slow","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-4","payload":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"20a","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"three_step_recovery","step":2,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false}}},{"type":"feedback_request","request_id":"r-4","payload":{"situation":"fine_adjustment","problem":"10+6","student_answer":16,"cause_tag":null,"training_context":"recovery"}},{"type":"feedback_result","request_id":"r-4","payload":{"feedback_text":["그렇지!","이번엔 이거야."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-4","payload":{"diagnose":56,"adapt":165,"recovery_loop":32,"select":122,"feedback":204}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',5,'r-5','2026-11-22 21:40:59.555000','X:10-7:h:gap','fine_adjustment','scaffolded_recovery_2',6,7.5,0,'logical_error',400,'typed','CONCEPT_L3_PART_WHOLE','medium','{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-5","type":"answer_submitted","task_id":"t5","answer":7,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-5","turn":5,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다."},"adaptation":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false},"feedback":{"feedback_text":["조금만 더 보자."],"hint_text":"얼마가 모자랄까?","visual_mode":"ten_frame","tone_check_passed":true},"phase":"scaffolded_recovery_2","position":{"c":7,"w":3.5},"training":["T08","T07"],"degraded":false,"task":{"task_id":"t6","kind":"fine_adjustment","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-5","payload":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","correct_answer":3,"student_answer":7,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-5","payload":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다.","norm":{"policy":"fixed","key":"6:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["gap_part_repeated"],"probe":null}},{"type":"adaptation_request","request_id":"r-5","payload":{"diagnostic_result":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다."},"response_pattern":"logical_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-5","payload":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false,"row":"24","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"three_step_recovery","step":2,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":1,"aided":true}}},{"type":"feedback_request","request_id":"r-5","payload":{"situation":"wrong","problem":"7+□=10","student_answer":7,"cause_tag":"CONCEPT_L3_PART_WHOLE","training_context":"recovery"}},{"type":"feedback_result","request_id":"r-5","payload":{"feedback_text":["조금만 더 보자."],"hint_text":"얼마가 모자랄까?","visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-5","payload":{"diagnose":217,"adapt":60,"recovery_loop":32,"select":374,"feedback":160}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',6,'r-6','2026-11-22 21:40:59.574000','X:10-7:h:gap','fine_adjustment','scaffolded_recovery_2',6,7.5,0,'logical_error',9000,'typed','CONCEPT_L2_NUMBER_SEQUENCE','medium','{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-6","type":"answer_submitted","task_id":"t6","answer":8,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-6","turn":6,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":"CONCEPT_L2_NUMBER_SEQUENCE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L2_NUMBER_SEQUENCE"],"training_ids":["T06","T03"],"probe_needed":false,"source":"rule","reasoning":"''처음 수의 바로 다음 수를 빈칸에 쓴다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 44%."},"adaptation":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"step_separation","widened":false},"feedback":{"feedback_text":["괜찮아.","다시 해볼까?"],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true},"phase":"scaffolded_recovery_2","position":{"c":7,"w":3.5},"training":["T06","T03"],"degraded":false,"task":{"task_id":"t7","kind":"fine_adjustment","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-6","payload":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","correct_answer":3,"student_answer":8,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-6","payload":{"cause_tag":"CONCEPT_L2_NUMBER_SEQUENCE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L2_NUMBER_SEQUENCE"],"training_ids":["T06","T03"],"probe_needed":false,"source":"rule","reasoning":"''처음 수의 바로 다음 수를 빈칸에 쓴다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 44%.","norm":{"policy":"fixed","key":"6:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["gap_next_number"],"probe":null}},{"type":"adaptation_request","request_id":"r-6","payload":{"diagnostic_result":{"cause_tag":"CONCEPT_L2_NUMBER_SEQUENCE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L2_NUMBER_SEQUENCE"],"training_ids":["T06","T03"],"probe_needed":false,"source":"rule","reasoning":"''처음 수의 바로 다음 수를 빈칸에 쓴다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 44%."},"response_pattern":"logical_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-6","payload":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"step_separation","widened":false,"row":"24b","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"three_step_recovery","step":2,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":2,"aided":true}}},{"type":"feedback_request","request_id":"r-6","payload":{"situation":"wrong","problem":"7+□=10","student_answer":8,"cause_tag":"CONCEPT_L2_NUMBER_SEQUENCE","training_context":"recovery"}},{"type":"feedback_result","request_id":"r-6","payload":{"feedback_text":["괜찮아.","다시 해볼까?"],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-6","payload":{"diagnose":251,"adapt":71,"recovery_loop":32,"select":25,"feedback":189}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',7,'r-7','2026-11-22 21:40:59.593000','X:10-7:h:gap','fine_adjustment','scaffolded_recovery_2',6,7.5,1,'correct_fast',4000,'typed',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-7","type":"answer_submitted","task_id":"t7","answer":3,"rt_ms":4000,"behavior_tags":["OBS_DOTS_ONE_BY_ONE"]}',NULL,'{"request_id":"r-7","turn":7,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["좋아!","이제 다시 해볼까?"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"scaffolded_recovery_3","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t8","kind":"return","prompt":"7+6=□","answer_format":"integer","problem":{"problem_id":"P-00360","expression":"7+6","layout":"vertical","c_level":7,"w_total":4.5},"choices":[],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-7","payload":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","correct_answer":3,"student_answer":3,"rt_ms":4000,"behavior_tags":["OBS_DOTS_ONE_BY_ONE"],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-7","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"6:typed","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-7","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-7","payload":{"route":"recovery","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"23","next_problem":{"problem_id":"P-00360","problem":"7+6","w_total":4.5,"c_level":7},"loop_state_update":{"type":"three_step_recovery","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false}}},{"type":"feedback_request","request_id":"r-7","payload":{"situation":"return","problem":"7+□=10","student_answer":3,"cause_tag":null,"training_context":"recovery"}},{"type":"feedback_result","request_id":"r-7","payload":{"feedback_text":["좋아!","이제 다시 해볼까?"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-7","payload":{"diagnose":55,"adapt":131,"recovery_loop":29,"select":38,"feedback":119}}]','["P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',8,'r-8','2026-11-22 21:40:59.616000','P-00360','return','scaffolded_recovery_3',7,4.5,0,'severe_error',9000,'typed',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-8","type":"answer_submitted","task_id":"t8","answer":77,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-8","turn":8,"correct":false,"response_pattern":"severe_error","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["다른 길로 가자!","천천히 가면 돼."],"hint_text":null,"visual_mode":"ten_frame","tone_check_passed":true},"phase":"bridge_loop","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t9","kind":"bridge","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-8","payload":{"problem_id":"P-00360","problem":"7+6","correct_answer":13,"student_answer":77,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-8","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"7:typed","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-8","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"severe_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-8","payload":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"26a","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"bridge_loop","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"P-00360","answer":77,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false,"item":"gap","round":1}}},{"type":"feedback_request","request_id":"r-8","payload":{"situation":"bridge","problem":"7+6","student_answer":77,"cause_tag":null,"training_context":"bridge_loop"}},{"type":"feedback_result","request_id":"r-8","payload":{"feedback_text":["다른 길로 가자!","천천히 가면 돼."],"hint_text":null,"visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-8","payload":{"diagnose":200,"adapt":83,"bridge_loop":32,"select":117,"feedback":4313}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',9,'r-9','2026-11-22 21:40:59.635000','X:10-7:h:gap','bridge','bridge_loop',6,7.5,0,'logical_error',400,'typed','CONCEPT_L3_PART_WHOLE','medium','{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-9","type":"answer_submitted","task_id":"t9","answer":7,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-9","turn":9,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다."},"adaptation":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false},"feedback":{"feedback_text":["해보길 잘했어!"],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true},"phase":"bridge_loop","position":{"c":7,"w":3.5},"training":["T08","T07"],"degraded":false,"task":{"task_id":"t10","kind":"bridge","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-9","payload":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","correct_answer":3,"student_answer":7,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-9","payload":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다.","norm":{"policy":"fixed","key":"6:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["gap_part_repeated"],"probe":null}},{"type":"adaptation_request","request_id":"r-9","payload":{"diagnostic_result":{"cause_tag":"CONCEPT_L3_PART_WHOLE","cause_domain":"CONCEPT","confidence":"medium","candidates":["CONCEPT_L3_PART_WHOLE"],"training_ids":["T08","T07"],"probe_needed":false,"source":"rule","reasoning":"''아는 부분을 그대로 빈칸에 쓴다'' 절차와 답이 같다."},"response_pattern":"logical_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-9","payload":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false,"row":"28","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"bridge_loop","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"P-00360","answer":77,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":7,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":true,"item":"gap","round":1}}},{"type":"feedback_request","request_id":"r-9","payload":{"situation":"wrong","problem":"7+□=10","student_answer":7,"cause_tag":"CONCEPT_L3_PART_WHOLE","training_context":"bridge_loop"}},{"type":"feedback_result","request_id":"r-9","payload":{"feedback_text":["해보길 잘했어!"],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-9","payload":{"diagnose":193,"adapt":52,"bridge_loop":34,"select":29,"feedback":143}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',10,'r-10','2026-11-22 21:40:59.656000','X:10-7:h:gap','bridge','bridge_loop',6,7.5,1,'correct_fast',4000,'typed',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-10","type":"answer_submitted","task_id":"t10","answer":3,"rt_ms":4000,"behavior_tags":[]}',NULL,'{"request_id":"r-10","turn":10,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["징검다리를 놓자.","한 걸음씩 가자."],"hint_text":null,"visual_mode":"ten_frame","tone_check_passed":true},"phase":"bridge_loop","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t11","kind":"bridge","prompt":"10+3=□","answer_format":"integer","problem":{"problem_id":"X:10+3:v","expression":"10+3","layout":"vertical","c_level":5,"w_total":2.0},"choices":[4,12,13,31],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-10","payload":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","correct_answer":3,"student_answer":3,"rt_ms":4000,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-10","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"6:typed","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-10","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-10","payload":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"27g","next_problem":{"problem_id":"X:10+3:v","problem":"10+3","w_total":2.0,"c_level":5},"loop_state_update":{"type":"bridge_loop","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"P-00360","answer":77,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":3,"correct":true}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false,"item":"moved","round":1}}},{"type":"feedback_request","request_id":"r-10","payload":{"situation":"bridge","problem":"7+□=10","student_answer":3,"cause_tag":null,"training_context":"bridge_loop"}},{"type":"feedback_result","request_id":"r-10","payload":{"feedback_text":["징검다리를 놓자.","한 걸음씩 가자."],"hint_text":null,"visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-10","payload":{"diagnose":63,"adapt":65,"bridge_loop":26,"select":215,"feedback":128}}]','["X:10+3:v","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',11,'r-11','2026-11-22 21:40:59.676000','X:10+3:v','bridge','bridge_loop',5,2.0,0,'logical_error',4000,'typed',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-11","type":"answer_submitted","task_id":"t11","answer":103,"rt_ms":4000,"behavior_tags":[]}',NULL,'{"request_id":"r-11","turn":11,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false},"feedback":{"feedback_text":["음, 다시 볼까?"],"hint_text":"일의 자리부터 보자.","visual_mode":"ten_frame","tone_check_passed":true},"phase":"bridge_loop","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t12","kind":"bridge","prompt":"10+3=□","answer_format":"integer","problem":{"problem_id":"X:10+3:v","expression":"10+3","layout":"vertical","c_level":5,"w_total":2.0},"choices":[3,13,14,23],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-11","payload":{"problem_id":"X:10+3:v","problem":"10+3","correct_answer":13,"student_answer":103,"rt_ms":4000,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-11","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"5:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["sum_concatenated","written_as_spoken"],"probe":null}},{"type":"adaptation_request","request_id":"r-11","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"logical_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-11","payload":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"visual_aid","widened":false,"row":"28","next_problem":{"problem_id":"X:10+3:v","problem":"10+3","w_total":2.0,"c_level":5},"loop_state_update":{"type":"bridge_loop","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"P-00360","answer":77,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"X:10+3:v","answer":103,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":true,"item":"moved","round":1}}},{"type":"feedback_request","request_id":"r-11","payload":{"situation":"wrong","problem":"10+3","student_answer":103,"cause_tag":null,"training_context":"bridge_loop"}},{"type":"feedback_result","request_id":"r-11","payload":{"feedback_text":["음, 다시 볼까?"],"hint_text":"일의 자리부터 보자.","visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-11","payload":{"diagnose":235,"adapt":312,"bridge_loop":33,"select":52,"feedback":187}}]','["X:10+3:v","P-00360"]');
INSERT INTO "turns" VALUES('9349ecf564624647becfa5f8f8dbcb02',12,'r-12','2026-11-22 21:40:59.685000','X:10+3:v','bridge','bridge_loop',5,2.0,0,'logical_error',400,'typed',NULL,NULL,'{"c":7,"w":3.5,"parked":[]}','{"request_id":"r-12","type":"answer_submitted","task_id":"t12","answer":103,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-12","turn":12,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"step_separation","widened":false},"feedback":{"feedback_text":["조금만 더 보자."],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true},"phase":"bridge_loop","position":{"c":7,"w":3.5},"training":[],"degraded":false,"task":{"task_id":"t13","kind":"bridge","prompt":"7+□=10","answer_format":"integer","problem":{"problem_id":"X:10-7:h:gap","expression":"7+□=10","layout":"horizontal","c_level":6,"w_total":7.5},"choices":[],"visual_mode":"ten_frame"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-12","payload":{"problem_id":"X:10+3:v","problem":"10+3","correct_answer":13,"student_answer":103,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":3.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-12","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"5:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["sum_concatenated","written_as_spoken"],"probe":null}},{"type":"adaptation_request","request_id":"r-12","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":["CONCEPT_L1_QUANTITY","TRANSCRIPTION_L4_SPOKEN_NUMBER"],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"logical_error","current_w":3.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-12","payload":{"route":"bridge_loop","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":"step_separation","widened":false,"row":"28n","next_problem":{"problem_id":"X:10-7:h:gap","problem":"7+□=10","w_total":7.5,"c_level":6},"loop_state_update":{"type":"bridge_loop","step":3,"step_results":[{"step":1,"problem":"X:10+6:v","answer":16,"correct":true},{"step":2,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":8,"correct":false},{"step":2,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"P-00360","answer":77,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":7,"correct":false},{"step":3,"problem":"X:10-7:h:gap","answer":3,"correct":true},{"step":3,"problem":"X:10+3:v","answer":103,"correct":false},{"step":3,"problem":"X:10+3:v","answer":103,"correct":false}],"route":"A","cause_tag":"EXECUTION_L4_CARRY_DIGIT","c_e":7,"w_e":4.5,"trained":false,"misses":0,"aided":false,"item":"gap","round":2}}},{"type":"feedback_request","request_id":"r-12","payload":{"situation":"wrong","problem":"10+3","student_answer":103,"cause_tag":null,"training_context":"bridge_loop"}},{"type":"feedback_result","request_id":"r-12","payload":{"feedback_text":["조금만 더 보자."],"hint_text":"수직선을 그려 봐.","visual_mode":"ten_frame","tone_check_passed":true}},{"type":"stages","request_id":"r-12","payload":{"diagnose":162,"adapt":48,"bridge_loop":26,"select":115,"feedback":124}}]','["X:10-7:h:gap","P-00360"]');
INSERT INTO "turns" VALUES('0c3fc9c454464bd6810a55cb75476f0f',1,'r-1','2026-11-22 21:40:59.727000','P-00394','problem','normal',7,4.5,1,'correct_fast',2000,'tap',NULL,NULL,'{"c":7,"w":4.5,"parked":[]}','{"request_id":"r-1","type":"answer_submitted","task_id":"t1","answer":17,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-1","turn":1,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["신난다!","그렇게 하면 돼!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":7,"w":4.5},"training":[],"degraded":false,"task":{"task_id":"t2","kind":"problem","prompt":"7+6=□","answer_format":"integer","problem":{"problem_id":"P-00359","expression":"7+6","layout":"horizontal","c_level":7,"w_total":5.0},"choices":[7,13,14,15],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-1","payload":{"problem_id":"P-00394","problem":"9+8","correct_answer":17,"student_answer":17,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":4.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-1","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"7:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-1","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":4.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-1","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"1","next_problem":{"problem_id":"P-00359","problem":"7+6","w_total":5.0,"c_level":7},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-1","payload":{"situation":"correct","problem":"9+8","student_answer":17,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-1","payload":{"feedback_text":["신난다!","그렇게 하면 돼!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-1","payload":{"diagnose":55,"adapt":124,"select":386,"feedback":108}}]','["P-00359"]');
INSERT INTO "turns" VALUES('0c3fc9c454464bd6810a55cb75476f0f',2,'r-2','2026-11-22 21:40:59.757000','P-00359','problem','normal',7,5.0,1,'correct_fast',2000,'tap',NULL,NULL,'{"c":8,"w":5.5,"parked":[]}','{"request_id":"r-2","type":"answer_submitted","task_id":"t2","answer":13,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-2","turn":2,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"advance","c_adjustment":1,"w_adjustment":1.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["대단해!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":5.5},"training":[],"degraded":false,"task":{"task_id":"t3","kind":"problem","prompt":"10+98=□","answer_format":"integer","problem":{"problem_id":"P-00933","expression":"10+98","layout":"horizontal","c_level":8,"w_total":6.0},"choices":[],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-2","payload":{"problem_id":"P-00359","problem":"7+6","correct_answer":13,"student_answer":13,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":4.5,"c_position":7}}},{"type":"diagnostic_result","request_id":"r-2","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"7:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-2","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":4.5,"current_c":7}},{"type":"adaptation_result","request_id":"r-2","payload":{"route":"advance","c_adjustment":1,"w_adjustment":1.0,"downscaling_strategy":null,"widened":false,"row":"2","next_problem":{"problem_id":"P-00933","problem":"10+98","w_total":6.0,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-2","payload":{"situation":"correct","problem":"7+6","student_answer":13,"cause_tag":null,"training_context":"advance"}},{"type":"feedback_result","request_id":"r-2","payload":{"feedback_text":["대단해!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-2","payload":{"diagnose":40,"adapt":6609,"select":757,"feedback":112}}]','["P-00933"]');
INSERT INTO "turns" VALUES('0c3fc9c454464bd6810a55cb75476f0f',3,'r-3','2026-11-22 21:40:59.776000','P-00933','problem','normal',8,6.0,1,'correct_fast',2000,'typed',NULL,NULL,'{"c":8,"w":5.5,"parked":[]}','{"request_id":"r-3","type":"answer_submitted","task_id":"t3","answer":108,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-3","turn":3,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["와, 신난다!","정답이야!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":5.5},"training":[],"degraded":false,"task":{"task_id":"t4","kind":"problem","prompt":"5+45=□","answer_format":"integer","problem":{"problem_id":"P-00606","expression":"5+45","layout":"vertical","c_level":8,"w_total":6.0},"choices":[],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-3","payload":{"problem_id":"P-00933","problem":"10+98","correct_answer":108,"student_answer":108,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":5.5,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-3","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"8:typed","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-3","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":5.5,"current_c":8}},{"type":"adaptation_result","request_id":"r-3","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"1","next_problem":{"problem_id":"P-00606","problem":"5+45","w_total":6.0,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-3","payload":{"situation":"correct","problem":"10+98","student_answer":108,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-3","payload":{"feedback_text":["와, 신난다!","정답이야!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-3","payload":{"diagnose":47,"adapt":120,"select":852,"feedback":112}}]','["P-00606"]');
INSERT INTO "turns" VALUES('0c3fc9c454464bd6810a55cb75476f0f',4,'r-stop','2026-11-22 21:40:59.820000','P-00606','problem','normal',8,6.0,NULL,NULL,NULL,NULL,NULL,NULL,'{"c":8,"w":5.5,"parked":[]}','{"request_id":"r-stop","type":"stop"}',NULL,'{"request_id":"r-stop","turn":4,"correct":null,"response_pattern":null,"diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["3문제를 풀었네!","또 보자!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"ended","position":{"c":8,"w":5.5},"training":[],"degraded":false,"task":null,"summary":{"answered":3,"right":3,"closed":3,"solved":3,"median_rt_ms":2000,"causes":[],"trainings":[],"trainings_done":[],"position_before":{"c":7,"w":4.5},"position_after":{"c":8,"w":5.5},"parked":[],"unlearnt":[],"ended_because":"stop","words":["3문제를 풀었네!","또 보자!"]}}','[{"type":"diagnostic_request","request_id":"r-stop","payload":{"problem_id":"P-00606","problem":"5+45","correct_answer":50,"student_answer":null,"rt_ms":null,"behavior_tags":[],"session_context":{"w_position":5.5,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-stop","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-stop","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":null,"current_w":5.5,"current_c":8}},{"type":"adaptation_result","request_id":"r-stop","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"34","next_problem":null,"loop_state_update":null}},{"type":"feedback_request","request_id":"r-stop","payload":{"situation":"closing","problem":"5+45","student_answer":null,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-stop","payload":{"feedback_text":["3문제를 풀었네!","또 보자!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-stop","payload":{"diagnose":18,"adapt":50,"select":2,"close":143,"feedback":176}}]','[]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',1,'r-1','2026-11-22 21:40:59.892000','P-04044','problem','normal',8,7.5,1,'correct_fast',400,'tap',NULL,NULL,'{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-1","type":"answer_submitted","task_id":"t1","answer":103,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-1","turn":1,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["바로 그거야!","계속 가 볼까?"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":[],"degraded":false,"task":{"task_id":"t2","kind":"problem","prompt":"9+97=□","answer_format":"integer","problem":{"problem_id":"P-00864","expression":"9+97","layout":"vertical","c_level":8,"w_total":7.5},"choices":[90,104,106,116],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-1","payload":{"problem_id":"P-04044","problem":"97+6","correct_answer":103,"student_answer":103,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-1","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-1","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-1","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"4","next_problem":{"problem_id":"P-00864","problem":"9+97","w_total":7.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-1","payload":{"situation":"correct","problem":"97+6","student_answer":103,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-1","payload":{"feedback_text":["바로 그거야!","계속 가 볼까?"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-1","payload":{"diagnose":67,"adapt":136,"select":1190,"feedback":494}}]','["P-00864"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',2,'r-2','2026-11-22 21:40:59.911000','P-00864','problem','normal',8,7.5,1,'correct_slow',9000,'tap','FLUENCY_L4_PLACE_VALUE','medium','{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-2","type":"answer_submitted","task_id":"t2","answer":106,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-2","turn":2,"correct":true,"response_pattern":"correct_slow","diagnosis":{"cause_tag":"FLUENCY_L4_PLACE_VALUE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L4_PLACE_VALUE"],"training_ids":["T19","T14"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초)."},"adaptation":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["바로 그거야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":["T19","T14"],"degraded":false,"task":{"task_id":"t3","kind":"problem","prompt":"6+88=□","answer_format":"integer","problem":{"problem_id":"P-00680","expression":"6+88","layout":"vertical","c_level":8,"w_total":7.5},"choices":[86,92,94,98],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-2","payload":{"problem_id":"P-00864","problem":"9+97","correct_answer":106,"student_answer":106,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-2","payload":{"cause_tag":"FLUENCY_L4_PLACE_VALUE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L4_PLACE_VALUE"],"training_ids":["T19","T14"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초).","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-2","payload":{"diagnostic_result":{"cause_tag":"FLUENCY_L4_PLACE_VALUE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L4_PLACE_VALUE"],"training_ids":["T19","T14"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초)."},"response_pattern":"correct_slow","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-2","payload":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"3","next_problem":{"problem_id":"P-00680","problem":"6+88","w_total":7.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-2","payload":{"situation":"correct_slow","problem":"9+97","student_answer":106,"cause_tag":"FLUENCY_L4_PLACE_VALUE","training_context":"fluency_drill"}},{"type":"feedback_result","request_id":"r-2","payload":{"feedback_text":["바로 그거야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-2","payload":{"diagnose":70,"adapt":145,"select":5105,"feedback":200}}]','["P-00680"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',3,'r-3','2026-11-22 21:40:59.935000','P-00680','problem','normal',8,7.5,1,'correct_fast',400,'tap',NULL,NULL,'{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-3","type":"answer_submitted","task_id":"t3","answer":94,"rt_ms":400,"behavior_tags":[]}',NULL,'{"request_id":"r-3","turn":3,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["훌륭해!","정답이야!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":[],"degraded":false,"task":{"task_id":"t4","kind":"problem","prompt":"93+80=□","answer_format":"integer","problem":{"problem_id":"P-03976","expression":"93+80","layout":"vertical","c_level":8,"w_total":6.5},"choices":[119,172,173,183],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-3","payload":{"problem_id":"P-00680","problem":"6+88","correct_answer":94,"student_answer":94,"rt_ms":400,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-3","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-3","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-3","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"4","next_problem":{"problem_id":"P-03976","problem":"93+80","w_total":6.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-3","payload":{"situation":"correct","problem":"6+88","student_answer":94,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-3","payload":{"feedback_text":["훌륭해!","정답이야!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-3","payload":{"diagnose":47,"adapt":88,"select":5103,"feedback":129}}]','["P-03976"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',4,'r-4','2026-11-22 21:40:59.951000','P-03976','problem','normal',8,6.5,1,'correct_slow',9000,'tap','ATTENTION_L0_DISENGAGED','high','{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-4","type":"answer_submitted","task_id":"t4","answer":173,"rt_ms":9000,"behavior_tags":["OBS_LATE_START"]}',NULL,'{"request_id":"r-4","turn":4,"correct":true,"response_pattern":"correct_slow","diagnosis":{"cause_tag":"ATTENTION_L0_DISENGAGED","cause_domain":"ATTENTION","confidence":"high","candidates":["ATTENTION_L0_DISENGAGED"],"training_ids":["T30"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초 걸렸다(기준 5.0초). 필요한 전략 STR_PLACE_VALUE, 관찰: 문제가 나오고 한참 동안 시작하지 않는다."},"adaptation":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["정답이야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":["T30"],"degraded":false,"task":{"task_id":"t5","kind":"problem","prompt":"4+48=□","answer_format":"integer","problem":{"problem_id":"P-00548","expression":"4+48","layout":"vertical","c_level":8,"w_total":6.5},"choices":[4,50,52,61],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-4","payload":{"problem_id":"P-03976","problem":"93+80","correct_answer":173,"student_answer":173,"rt_ms":9000,"behavior_tags":["OBS_LATE_START"],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-4","payload":{"cause_tag":"ATTENTION_L0_DISENGAGED","cause_domain":"ATTENTION","confidence":"high","candidates":["ATTENTION_L0_DISENGAGED"],"training_ids":["T30"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초 걸렸다(기준 5.0초). 필요한 전략 STR_PLACE_VALUE, 관찰: 문제가 나오고 한참 동안 시작하지 않는다.","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-4","payload":{"diagnostic_result":{"cause_tag":"ATTENTION_L0_DISENGAGED","cause_domain":"ATTENTION","confidence":"high","candidates":["ATTENTION_L0_DISENGAGED"],"training_ids":["T30"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초 걸렸다(기준 5.0초). 필요한 전략 STR_PLACE_VALUE, 관찰: 문제가 나오고 한참 동안 시작하지 않는다."},"response_pattern":"correct_slow","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-4","payload":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"3","next_problem":{"problem_id":"P-00548","problem":"4+48","w_total":6.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-4","payload":{"situation":"correct_slow","problem":"93+80","student_answer":173,"cause_tag":"ATTENTION_L0_DISENGAGED","training_context":"fluency_drill"}},{"type":"feedback_result","request_id":"r-4","payload":{"feedback_text":["정답이야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-4","payload":{"diagnose":74,"adapt":152,"select":553,"feedback":143}}]','["P-00548"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',5,'r-5','2026-11-22 21:40:59.972000','P-00548','problem','normal',8,6.5,1,'correct_fast',2000,'tap',NULL,NULL,'{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-5","type":"answer_submitted","task_id":"t5","answer":52,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-5","turn":5,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["바로 그거야!","기분 좋다!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":[],"degraded":false,"task":{"task_id":"t6","kind":"problem","prompt":"79+41=□","answer_format":"integer","problem":{"problem_id":"P-03648","expression":"79+41","layout":"vertical","c_level":8,"w_total":6.5},"choices":[12,118,120,122],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-5","payload":{"problem_id":"P-00548","problem":"4+48","correct_answer":52,"student_answer":52,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-5","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-5","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-5","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"1","next_problem":{"problem_id":"P-03648","problem":"79+41","w_total":6.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-5","payload":{"situation":"correct","problem":"4+48","student_answer":52,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-5","payload":{"feedback_text":["바로 그거야!","기분 좋다!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-5","payload":{"diagnose":47,"adapt":130,"select":798,"feedback":111}}]','["P-03648"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',6,'r-6','2026-11-22 21:40:59.989000','P-03648','problem','normal',8,6.5,0,'logical_error',2000,'typed','EXECUTION_L4_CARRY_TWICE','medium','{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-6","type":"answer_submitted","task_id":"t6","answer":130,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-6","turn":6,"correct":false,"response_pattern":"logical_error","diagnosis":{"cause_tag":"EXECUTION_L4_CARRY_TWICE","cause_domain":"EXECUTION","confidence":"medium","candidates":["EXECUTION_L4_CARRY_TWICE"],"training_ids":["T21"],"probe_needed":false,"source":"rule","reasoning":"''받아올린 수를 두 번 더한다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 1%."},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["방법은 좋았어!","올린 수를 봐!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":["T21"],"degraded":false,"task":{"task_id":"t7","kind":"problem","prompt":"79+41=□","answer_format":"integer","problem":{"problem_id":"P-03648","expression":"79+41","layout":"vertical","c_level":8,"w_total":6.5},"choices":[12,118,120,122],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-6","payload":{"problem_id":"P-03648","problem":"79+41","correct_answer":120,"student_answer":130,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-6","payload":{"cause_tag":"EXECUTION_L4_CARRY_TWICE","cause_domain":"EXECUTION","confidence":"medium","candidates":["EXECUTION_L4_CARRY_TWICE"],"training_ids":["T21"],"probe_needed":false,"source":"rule","reasoning":"''받아올린 수를 두 번 더한다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 1%.","norm":{"policy":"fixed","key":"8:typed","slow_ms":5000,"impulsive_ms":800},"malrules":["carry_added_twice"],"probe":null}},{"type":"adaptation_request","request_id":"r-6","payload":{"diagnostic_result":{"cause_tag":"EXECUTION_L4_CARRY_TWICE","cause_domain":"EXECUTION","confidence":"medium","candidates":["EXECUTION_L4_CARRY_TWICE"],"training_ids":["T21"],"probe_needed":false,"source":"rule","reasoning":"''받아올린 수를 두 번 더한다'' 절차와 답이 같다. 이 시간의 답 1개와 맞고, 모든 답을 보면 가능성 1%."},"response_pattern":"logical_error","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-6","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"8","next_problem":{"problem_id":"P-03648","problem":"79+41","w_total":6.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-6","payload":{"situation":"slip","problem":"79+41","student_answer":130,"cause_tag":"EXECUTION_L4_CARRY_TWICE","training_context":"none"}},{"type":"feedback_result","request_id":"r-6","payload":{"feedback_text":["방법은 좋았어!","올린 수를 봐!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-6","payload":{"diagnose":211,"adapt":78,"select":50,"feedback":131}}]','["P-03648"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',7,'r-7','2026-11-22 21:41:00.003000','P-03648','problem','normal',8,6.5,1,'correct_fast',2000,'tap',NULL,NULL,'{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-7","type":"answer_submitted","task_id":"t7","answer":120,"rt_ms":2000,"behavior_tags":[]}',NULL,'{"request_id":"r-7","turn":7,"correct":true,"response_pattern":"correct_fast","diagnosis":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"adaptation":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["완벽해!","스스로 해냈어!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":[],"degraded":false,"task":{"task_id":"t8","kind":"problem","prompt":"99+3=□","answer_format":"integer","problem":{"problem_id":"P-04095","expression":"99+3","layout":"horizontal","c_level":8,"w_total":7.0},"choices":[90,100,102,104],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-7","payload":{"problem_id":"P-03648","problem":"79+41","correct_answer":120,"student_answer":120,"rt_ms":2000,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-7","payload":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":"","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-7","payload":{"diagnostic_result":{"cause_tag":null,"cause_domain":null,"confidence":null,"candidates":[],"training_ids":[],"probe_needed":false,"source":"rule","reasoning":""},"response_pattern":"correct_fast","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-7","payload":{"route":"none","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"8r","next_problem":{"problem_id":"P-04095","problem":"99+3","w_total":7.0,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-7","payload":{"situation":"correct","problem":"79+41","student_answer":120,"cause_tag":null,"training_context":"none"}},{"type":"feedback_result","request_id":"r-7","payload":{"feedback_text":["완벽해!","스스로 해냈어!"],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-7","payload":{"diagnose":42,"adapt":165,"select":873,"feedback":113}}]','["P-04095"]');
INSERT INTO "turns" VALUES('65cf60644f9040f0b2eaf0d6c8f0130e',8,'r-8','2026-11-22 21:41:00.024000','P-04095','problem','normal',8,7.0,1,'correct_slow',9000,'tap','FLUENCY_L6_COMPENSATE','medium','{"c":8,"w":7.0,"parked":[]}','{"request_id":"r-8","type":"answer_submitted","task_id":"t8","answer":102,"rt_ms":9000,"behavior_tags":[]}',NULL,'{"request_id":"r-8","turn":8,"correct":true,"response_pattern":"correct_slow","diagnosis":{"cause_tag":"FLUENCY_L6_COMPENSATE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L6_COMPENSATE"],"training_ids":["T26"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초)."},"adaptation":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false},"feedback":{"feedback_text":["정답이야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true},"phase":"normal","position":{"c":8,"w":7.0},"training":["T26"],"degraded":false,"task":{"task_id":"t9","kind":"problem","prompt":"61+43=□","answer_format":"integer","problem":{"problem_id":"P-03092","expression":"61+43","layout":"vertical","c_level":8,"w_total":6.5},"choices":[18,104,105,106],"visual_mode":"none"},"summary":null}','[{"type":"diagnostic_request","request_id":"r-8","payload":{"problem_id":"P-04095","problem":"99+3","correct_answer":102,"student_answer":102,"rt_ms":9000,"behavior_tags":[],"session_context":{"w_position":7.0,"c_position":8}}},{"type":"diagnostic_result","request_id":"r-8","payload":{"cause_tag":"FLUENCY_L6_COMPENSATE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L6_COMPENSATE"],"training_ids":["T26"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초).","norm":{"policy":"fixed","key":"8:tap","slow_ms":5000,"impulsive_ms":800},"malrules":[],"probe":null}},{"type":"adaptation_request","request_id":"r-8","payload":{"diagnostic_result":{"cause_tag":"FLUENCY_L6_COMPENSATE","cause_domain":"FLUENCY","confidence":"medium","candidates":["FLUENCY_L6_COMPENSATE"],"training_ids":["T26"],"probe_needed":false,"source":"rule","reasoning":"정답이지만 9.0초가 걸렸다(기준 5.0초)."},"response_pattern":"correct_slow","current_w":7.0,"current_c":8}},{"type":"adaptation_result","request_id":"r-8","payload":{"route":"fluency_drill","c_adjustment":0,"w_adjustment":0.0,"downscaling_strategy":null,"widened":false,"row":"3","next_problem":{"problem_id":"P-03092","problem":"61+43","w_total":6.5,"c_level":8},"loop_state_update":null}},{"type":"feedback_request","request_id":"r-8","payload":{"situation":"correct_slow","problem":"99+3","student_answer":102,"cause_tag":"FLUENCY_L6_COMPENSATE","training_context":"fluency_drill"}},{"type":"feedback_result","request_id":"r-8","payload":{"feedback_text":["정답이야!","천천히 해도 돼."],"hint_text":null,"visual_mode":"none","tone_check_passed":true}},{"type":"stages","request_id":"r-8","payload":{"diagnose":67,"adapt":107,"select":823,"feedback":201}}]','["P-03092"]');
CREATE INDEX sessions_of_student ON sessions (student_id, created_at);
CREATE INDEX reports_of_student ON report_students (student_id);
CREATE INDEX documents_of_school ON school_documents (school_code, year);
CREATE INDEX executions_by_status ON executions (status);
CREATE INDEX executions_of_owner ON executions (owner_token, created_at);
CREATE INDEX executions_of_student ON executions (student_id);
CREATE INDEX lessons_of_student ON lessons (student_id, created_at);
CREATE INDEX lesson_sessions_of_student ON lesson_sessions (student_id, session_end_time);
CREATE INDEX lesson_quizzes_of_student ON lesson_quizzes (student_id);
CREATE INDEX threads_of_student ON threads (student_id);
CREATE INDEX threads_of_owner ON threads (owner_token);
CREATE INDEX saved_files_by_expiry ON saved_files (expires_at);
CREATE INDEX saved_files_of_student ON saved_files (student_id);
CREATE INDEX answer_ratings_of_student ON answer_ratings (student_id);
CREATE INDEX consents_of_student ON consents (student_id, purpose, consent_id);
CREATE UNIQUE INDEX rule_candidates_same ON rule_candidates (operation, cause_tag, procedure);
CREATE INDEX ix_rule_examples_candidate_id ON rule_examples (candidate_id);
CREATE INDEX reviews_by_status ON reviews (status, review_id);
CREATE INDEX ix_reviews_session_id ON reviews (session_id);
CREATE INDEX reviews_of_student ON reviews (student_id);
CREATE UNIQUE INDEX reviews_of_place ON reviews (room, place_id, message_id);
CREATE INDEX ix_alert_openings_review_id ON alert_openings (review_id);
CREATE INDEX alert_deliveries_open ON alert_deliveries (delivered_at, next_try_at);
CREATE INDEX access_log_of_student ON access_log (student_id, entry_id);
CREATE INDEX executions_by_flow ON executions (flow_name, created_at);
CREATE INDEX class_members_of_student ON class_members (student_id);
CREATE INDEX sign_ins_of_student ON sign_ins (student_id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
CREATE INDEX goals_of_student ON goals (student_id, due);
CREATE INDEX guardian_requests_of_student ON guardian_requests (student_id, created_at);
CREATE INDEX ix_report_links_report_id ON report_links (report_id);
COMMIT;
